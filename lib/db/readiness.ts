import { missingMigrations } from "./migrate.ts";
import { sql } from "./statement.ts";
import { withoutWorkspace } from "./transaction.ts";

const applied = sql(
  "migrations_applied",
  'SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
);

export type Readiness = { database: "ok" | "unreachable"; migrations: "ok" | "pending" | "unknown" };

/** A load balancer must get an answer before its own timeout, also when the database is silent. */
const PATIENCE_MS = 3_000;

const unreachable: Readiness = { database: "unreachable", migrations: "unknown" };

/** Whether the database answers within a few seconds and has every migration of this release. A late answer is dropped. */
export function readiness(): Promise<Readiness> {
  const { promise, resolve } = Promise.withResolvers<Readiness>();
  const patience = setTimeout(() => resolve(unreachable), PATIENCE_MS).unref();
  void askReadiness()
    .then(resolve)
    .finally(() => clearTimeout(patience));
  return promise;
}

async function askReadiness(): Promise<Readiness> {
  try {
    const missing = await withoutWorkspace((db) => missingMigrations(() => db.query(applied)));
    return { database: "ok", migrations: missing.length === 0 ? "ok" : "pending" };
  } catch {
    return unreachable;
  }
}
