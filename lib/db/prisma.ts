import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "#prisma/generated/client.ts";
import type { Work } from "./lease.ts";

const clients = new WeakMap<object, PrismaClient>();

/**
 * Prisma on the connection of a piece of work: its queries run in the transaction (and under the workspace) that the
 * connection is in. Each call is a part of the work: it is refused once the work has ended, and the connection waits for it.
 */
export function prismaOf(work: Work, connection: pg.PoolClient): PrismaClient {
  const bound = prismaOn(connection).$extends({
    client: { $transaction: () => Promise.reject(new Error("a handle is one transaction already")) },
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        work.during(`prisma ${model ?? ""}.${operation}`, async () => query(args)),
    },
  });
  return bound as unknown as PrismaClient;
}

/** Prisma bound to one connection; made on first use of a connection and kept with it. */
function prismaOn(connection: pg.PoolClient): PrismaClient {
  let prisma = clients.get(connection);
  if (!prisma) {
    prisma = new PrismaClient({ adapter: new PrismaPg(new BoundPool(connection)) });
    clients.set(connection, prisma);
  }
  return prisma;
}

/**
 * A pool of exactly one connection, which belongs to the caller. A transaction Prisma opens itself becomes a savepoint.
 */
class BoundPool extends pg.Pool {
  constructor(connection: pg.PoolClient) {
    super({ max: 1 });
    const savepoint = {
      BEGIN: "SAVEPOINT prisma",
      COMMIT: "RELEASE SAVEPOINT prisma",
      ROLLBACK: "ROLLBACK TO SAVEPOINT prisma",
    } as const;
    const query = (config: pg.QueryConfig | string, values?: unknown[]) =>
      connection.query(config as pg.QueryConfig, values);
    const nested = {
      query(config: pg.QueryConfig | string, values?: unknown[]) {
        const text = typeof config === "string" ? config : config.text;
        return query(savepoint[text as keyof typeof savepoint] ?? config, values);
      },
      on: () => nested,
      removeListener: () => nested,
      release: () => undefined,
    };
    Object.assign(this, { query, connect: async () => nested });
  }
}
