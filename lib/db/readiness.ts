import { setTimeout as sleep } from "node:timers/promises";
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

/** Whether the database answers within a few seconds and has every migration of this release. */
export const readiness = (): Promise<Readiness> => inTime(PATIENCE_MS, askReadiness(), unreachable);

async function askReadiness(): Promise<Readiness> {
  try {
    const missing = await withoutWorkspace((db) => missingMigrations(() => db.query(applied)));
    return { database: "ok", migrations: missing.length === 0 ? "ok" : "pending" };
  } catch {
    return unreachable;
  }
}

/**
 * The result of `work`, or `otherwise` when it takes longer than `ms`. The work goes on, and its late result is
 * dropped.
 */
async function inTime<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  const done = new AbortController();
  const patience = sleep(ms, otherwise, { signal: done.signal, ref: false }).catch(() => otherwise);
  try {
    return await Promise.race([work, patience]);
  } finally {
    done.abort();
  }
}
