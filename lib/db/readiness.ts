import { setTimeout as sleep } from "node:timers/promises";
import { missingMigrations } from "./migrate.ts";
import { sql } from "./statement.ts";
import { withoutWorkspace } from "./transaction.ts";

const applied = sql(
  "migrations_applied",
  'SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
);

export type Readiness = { database: "ok" | "unreachable"; migrations: "ok" | "pending" | "unknown" };

/** A balancer that asks wants an answer before its own patience ends, also of a database that is silent. */
const PATIENCE_MS = 3_000;

/** Whether the database answers, in a few seconds, and has every migration of this release. */
export function readiness(): Promise<Readiness> {
  const patience = new AbortController();
  const asked = withoutWorkspace((db) => missingMigrations(() => db.query(applied)))
    .then((missing): Readiness => ({ database: "ok", migrations: missing.length === 0 ? "ok" : "pending" }))
    .catch(() => unreachable)
    .finally(() => patience.abort());
  const given = sleep(PATIENCE_MS, unreachable, { signal: patience.signal, ref: false }).catch(() => unreachable);
  return Promise.race([asked, given]);
}

const unreachable: Readiness = { database: "unreachable", migrations: "unknown" };
