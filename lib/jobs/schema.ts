import { runMigrations } from "graphile-worker";
import pg from "pg";
import { quiet } from "./logging.ts";

/** Installs or upgrades the queue's own tables, and the index by which a workspace finds its jobs there. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "rapport-migrate" });
  // The queue warns on stderr about a pool or connection without them.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    await runMigrations({ pgPool: pool, logger: quiet });
    await pool.query(
      `CREATE INDEX IF NOT EXISTS rapport_jobs_workspace ON graphile_worker._private_jobs ((payload ->> 'workspace_id'))`,
    );
  } finally {
    await pool.end();
  }
}
