import pg from "pg";
import { readMigrations } from "#lib/db/migrate.ts";
import * as rules from "../rules.ts";

const SETTINGS = "SELECT name, setting FROM pg_settings WHERE name = ANY($1)";
const APPLIED =
  'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
const BROKEN = `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT i.indisvalid AND n.nspname = 'public' ORDER BY 1`;
// A job that runs is locked; one that may be tried again later has a later run_at.
const JOBS = `SELECT
  coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now())), 0)::float8
    * 1000 AS longest,
  count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL)::int AS failed FROM graphile_worker.jobs`;

/** Version, settings, migrations, indexes, clock and jobs of the database at `url`. */
export const examineDatabase = (url: string): Promise<rules.Finding[]> =>
  connected(url, async (client) => {
    const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows;
    const asked = Date.now();
    const [clock] = await rows<{ at: Date }>("SELECT clock_timestamp() AS at");
    const middle = (asked + Date.now()) / 2;
    const settings = Object.fromEntries(
      (await rows<{ name: string; setting: string }>(SETTINGS, [[...rules.DURABLE, "server_version_num"]])).map(
        ({ name, setting }) => [name, setting],
      ),
    );
    const ours = (await readMigrations()).map(({ name }) => name);
    const exists = async (table: string): Promise<boolean> =>
      (await rows<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [table]))[0]?.exists === true;
    const isMigrated = await exists('public."_prisma_migrations"');
    const applied = isMigrated ? (await rows<{ name: string }>(APPLIED)).map(({ name }) => name) : [];
    const [jobs] = (await exists("graphile_worker.jobs")) ? await rows<rules.Waiting>(JOBS) : [];
    return [
      rules.ofVersion(Number(settings.server_version_num)),
      rules.ofSettings(settings),
      rules.ofMigrations(
        ours.filter((name) => !applied.includes(name)),
        applied.filter((name) => !ours.includes(name)),
      ),
      rules.ofIndexes((await rows<{ name: string }>(BROKEN)).map(({ name }) => name)),
      rules.ofClock((clock?.at.getTime() ?? middle) - middle),
      rules.ofJobs(jobs ?? { longest: 0, failed: 0 }),
    ];
  });

const PROTECTION = `SELECT current_setting('archive_mode') <> 'off' AS archives,
  coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "archiveFails",
  (SELECT count(*)::int FROM pg_stat_replication) AS replicas FROM pg_stat_archiver`;

/** What a Postgres of the operator's own does so that nothing is lost with its disk. */
export const protectionOf = (url: string): Promise<rules.Protection> =>
  connected(url, async (client) => {
    const [found] = (await client.query<rules.Protection>(PROTECTION)).rows;
    return found ?? { archives: false, archiveFails: false, replicas: 0 };
  });

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "rapport-doctor" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
