import type pg from "pg";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { connected } from "./connected.ts";
import { abilitiesOf, ofSeveralMachines } from "./distributed/abilities.ts";
import { readMigrations } from "./migrate.ts";
import { type DatabaseObject, readObjects } from "./objects.ts";
import { DIRECT_OPTIONS } from "./pooler.ts";

/** What a database says about itself, for the doctor. */
export type Examination = {
  /** `server_version_num`, such as 180004. */
  version: number;
  /** The server's settings by name, those that were asked for. */
  settings: Readonly<Record<string, string>>;
  /** Migrations of this release that it lacks, and those it has that this release does not know. */
  migrations: { missing: string[]; foreign: string[] };
  /** Names of indexes that no query can use, also those of the operator's own. */
  brokenIndexes: string[];
  /** The parts of its schema. */
  objects: DatabaseObject[];
  /** Whether its tenants are spread over several machines. */
  isSpread: boolean;
  /** How far its clock is ahead of ours, in ms. */
  clockMs: number;
  /** How long the job that should have run first has waited, in ms, and how many jobs of workspaces were given up, by kind. */
  jobs: { longest: number; failed: { kind: string; jobs: number }[] };
};

const doctor = (url: string): pg.ClientConfig => ({ connectionString: url, application_name: "rapport-doctor" });

const SETTINGS = "SELECT name, setting FROM pg_settings WHERE name = ANY($1)";
const APPLIED =
  'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
// Not those of a table where an index is built right now: until the build ends, its index is not valid. Who may not see which
// table another role's build is of gets none.
const BROKEN = `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT i.indisvalid AND n.nspname = 'public'
    AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index b WHERE b.datname = current_database() AND (b.relid IS NULL OR b.relid = i.indrelid))
  ORDER BY 1`;
// A job that runs is locked; one that may be tried again later has a later run_at.
const LONGEST = `SELECT coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now())), 0)::float8
    * 1000 AS longest FROM graphile_worker.jobs`;
// Those of the whole installation run again at their time, and no one waits for those of a workspace that was deleted.
const FAILED = `SELECT t.identifier AS kind, count(*)::int AS jobs
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL AND j.payload ->> 'workspace_id' IN (SELECT id::text FROM workspaces)
  GROUP BY 1 ORDER BY 1`;

/** Looks at the database at `url` as it is, migrated or not. */
export const examineDatabase = (url: string, settings: readonly string[]): Promise<Examination> =>
  connected(doctor(url), async (client) => {
    const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows;
    const exists = async (table: string): Promise<boolean> =>
      (await rows<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [table]))[0]?.exists === true;

    const start = Date.now();
    const [clock] = await rows<{ at: Date }>("SELECT clock_timestamp() AS at");
    const middle = (start + Date.now()) / 2;
    const named = await rows<{ name: string; setting: string }>(SETTINGS, [[...settings, "server_version_num"]]);
    const values = Object.fromEntries(named.map(({ name, setting }) => [name, setting]));
    const isMigrated = await exists('public."_prisma_migrations"');
    const applied = isMigrated ? (await rows<{ name: string }>(APPLIED)).map(({ name }) => name) : [];
    const ours = (await readMigrations()).map(({ name }) => name);
    const hasJobs = (await exists("graphile_worker._private_jobs")) && (await exists("public.workspaces"));
    const [first] = hasJobs ? await rows<{ longest: number }>(LONGEST) : [];
    return {
      version: Number(values.server_version_num),
      settings: values,
      migrations: {
        missing: ours.filter((name) => !applied.includes(name)),
        foreign: applied.filter((name) => !ours.includes(name)),
      },
      brokenIndexes: (await rows<{ name: string }>(BROKEN)).map(({ name }) => name),
      objects: await readObjects(client),
      isSpread: (await abilitiesOf(client)) === ofSeveralMachines,
      clockMs: (clock?.at.getTime() ?? middle) - middle,
      jobs: {
        longest: first?.longest ?? 0,
        failed: hasJobs ? await rows<{ kind: string; jobs: number }>(FAILED) : [],
      },
    };
  });

const LOCK_NOT_AVAILABLE = "55P03";

/** Runs a statement that no transaction may be around, however long it takes; it gives way to others that change the same table. */
export const mend = (url: string, statement: string): Promise<void> =>
  connected({ ...doctor(url), options: `${DIRECT_OPTIONS} -c lock_timeout=30s` }, async (client) => {
    try {
      await client.query(statement);
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new OperatorError("It waited for others that hold the table; run it again when no export or import runs.");
    }
  });

/** What a Postgres of the operator's own does so that nothing is lost with its disk. */
export type Protection = { archives: boolean; archiveFails: boolean; replicas: number };

const PROTECTION = `SELECT current_setting('archive_mode') <> 'off' AS archives,
  coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "archiveFails",
  (SELECT count(*)::int FROM pg_stat_replication) AS replicas FROM pg_stat_archiver`;

export const protectionOf = (url: string): Promise<Protection> =>
  connected(doctor(url), async (client) => {
    const [protection] = (await client.query<Protection>(PROTECTION)).rows;
    return protection ?? { archives: false, archiveFails: false, replicas: 0 };
  });
