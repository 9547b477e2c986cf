import { missingMigrations } from "./migrate.ts";
import { sql } from "./statement.ts";
import { withoutWorkspace } from "./transaction.ts";

const applied = sql(
  "migrations_applied",
  'SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
);

export type Readiness = { database: "ok" | "unreachable"; migrations: "ok" | "pending" | "unknown" };

/** Whether the database answers and has every migration of this release. */
export async function readiness(): Promise<Readiness> {
  try {
    const missing = await withoutWorkspace((db) => missingMigrations(() => db.query(applied)));
    return { database: "ok", migrations: missing.length === 0 ? "ok" : "pending" };
  } catch {
    return { database: "unreachable", migrations: "unknown" };
  }
}
