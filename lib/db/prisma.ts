import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { singleton } from "#lib/core/singleton.ts";
import { PrismaClient } from "#prisma/generated/client.ts";
import type { Work } from "./lease.ts";
import { datamodelOf, type ScopedPrisma, scopedArgs } from "./prisma-scope.ts";

/**
 * The process's one client, and the connection that the running call is for. A client of its own for each connection takes 13 MB of
 * memory each, and 40 to 100 ms of the processor until its first call is answered.
 */
const shared = () =>
  singleton("prisma", () => {
    const current = new AsyncLocalStorage<pg.PoolClient>();
    return { current, client: new PrismaClient({ adapter: new PrismaPg(new CurrentConnection(current)) }) };
  });

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
  const { client, current } = shared();
  const models = datamodelOf(client);
  const bound = client.$extends({
    client: { $transaction: () => Promise.reject(new Error("a handle is one transaction already")) },
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        work.during(`prisma ${model ?? ""}.${operation}`, async () => {
          const scoped = scopedArgs(models, workspaceId, { model, operation, args });
          try {
            return await current.run(connection, async () => query(scoped));
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
  const { message, meta } = error as { message: string; meta?: { driverAdapterError?: { cause?: Refusal } } };
  const cause = meta?.driverAdapterError?.cause;
  if (cause?.originalCode === undefined) return error;
  const refused = new pg.DatabaseError(cause.originalMessage ?? message, 0, "error");
  const { originalCode: code, severity, constraint, table } = cause;
  return Object.assign(refused, { code, severity, constraint: constraint?.index, table, cause: error });
}

/**
 * To Prisma a pool: the one connection of the work whose call it makes. A transaction Prisma opens itself becomes a savepoint.
 */
class CurrentConnection extends pg.Pool {
  constructor(current: AsyncLocalStorage<pg.PoolClient>) {
    super({ max: 1 });
    const connection = () => {
      const client = current.getStore();
      if (!client) throw new Error("Prisma was called outside of a piece of work");
      return client;
    };
    const savepoint = {
      BEGIN: "SAVEPOINT prisma",
      COMMIT: "RELEASE SAVEPOINT prisma",
      ROLLBACK: "ROLLBACK TO SAVEPOINT prisma",
    } as const;
    const query = (config: pg.QueryConfig | string, values?: unknown[]) =>
      connection().query(config as pg.QueryConfig, values);
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
