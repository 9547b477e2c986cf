import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "#prisma/generated/client.ts";
import type { Work } from "./lease.ts";
import { datamodelOf, type ScopedPrisma, scopedArgs } from "./prisma-scope.ts";

const clients = new WeakMap<object, PrismaClient>();

type Binding = {
  work: Work;
  connection: pg.PoolClient;
  /** null: its calls cannot be about tenants' rows */
  workspaceId: string | null;
  /** told of what the database refuses */
  failed?: (error: unknown) => void;
};

/**
 * Prisma on the connection of a piece of work: its queries run in the transaction that the connection is in, and each
 * call is about the work's workspace. A call is a part of the work: it is refused once the work has ended, and the
 * connection waits for it. What the database refuses is thrown as pg throws it.
 */
export function prismaOf({ work, connection, workspaceId, failed }: Binding): ScopedPrisma {
  const prisma = prismaOn(connection);
  const models = datamodelOf(prisma);
  const bound = prisma.$extends({
    client: { $transaction: () => Promise.reject(new Error("a handle is one transaction already")) },
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        work.during(`prisma ${model ?? ""}.${operation}`, async () => {
          const scoped = scopedArgs(models, workspaceId, { model, operation, args });
          try {
            return await query(scoped);
          } catch (error) {
            const cause = asRefused(error);
            if (cause instanceof pg.DatabaseError) failed?.(cause);
            throw cause;
          }
        }),
    },
  });
  return bound as unknown as ScopedPrisma;
}

/** What Prisma keeps of an error of the database. */
type Refusal = {
  originalCode?: string;
  originalMessage?: string;
  severity?: string;
  constraint?: { index?: string };
  table?: string;
};

/** The error of the database where Prisma wraps one, so that callers know one kind: code, constraint and table. */
function asRefused(error: unknown): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  const { cause } = (error.meta?.driverAdapterError ?? {}) as { cause?: Refusal };
  if (cause?.originalCode === undefined) return error;
  const refused = new pg.DatabaseError(cause.originalMessage ?? error.message, 0, "error");
  const { originalCode: code, severity, constraint, table } = cause;
  return Object.assign(refused, { code, severity, constraint: constraint?.index, table, cause: error });
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
