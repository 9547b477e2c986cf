import pg from "pg";
import { lockConnection } from "../locks.ts";
import { settleLogin } from "../login.ts";
import { APP_SETTINGS } from "../pool.ts";
import { DIRECT_OPTIONS } from "../pooler.ts";
import { allowTableChanges } from "./abilities.ts";

/** Shards of each table: the most machines that the tenants can be spread over without distributing again. */
const SHARDS = 32;

export type Distribution = {
  /** tables that were distributed now, in order; empty when all were already */
  distributed: string[];
  workers: number;
};

type Options = { url: string; log?: (line: string) => void; shards?: number };

/**
 * Spreads the tenants of the database at `url` over its Citus workers: users, keys and the like are copied to every
 * machine, the rest is where its workspace is. All in one transaction, so that a failure leaves the database as it was;
 * tables that are already distributed are left alone. The database must be migrated. Throws where there is no Citus, or
 * where the login would see every tenant.
 */
export async function distribute({ url, log, shards = SHARDS }: Options): Promise<Distribution> {
  const client = new pg.Client({
    connectionString: url,
    options: DIRECT_OPTIONS,
    application_name: "rapport-distribute",
  });
  await client.connect();
  try {
    await requireCitus(client);
    await lockConnection(client, "migration");
    const distributed = await spread(client, shards, log);
    const workers = await settle(client);
    return { distributed, workers };
  } finally {
    await client.end();
  }
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ citus: boolean; bypasses: boolean; role: string }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus, rolsuper OR rolbypassrls AS bypasses, rolname AS role
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [{ citus, bypasses, role } = { citus: false, bypasses: false, role: "" }] = rows;
  if (!citus) throw new Error("The database has no extension citus. Create it on every machine, then run this again.");
  if (bypasses)
    throw new Error(
      `${role} ignores row level security. Log in as an ordinary role that owns the tables: connections to workers cannot switch roles.`,
    );
}

/**
 * Access to workspaces: few rows, which every request needs before its workspace is known. Every machine has all of
 * them, so that a machine that is down locks out only its own workspaces.
 */
export const EVERYWHERE = [
  ...["users", "workspaces", "members", "invitations", "api_keys"],
  ...["oauth_grants", "oauth_codes", "oauth_tokens"],
];

/** The table that the other tenant tables are placed beside. */
const FIRST = "entities";

/** Tenant tables are found by their columns, so that tables of later releases are included. */
const UNSPREAD = `SELECT c.oid::regclass::text AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT relation_is_a_known_shard(c.oid) AND c.relname <> ALL($1)
    AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid AND p.partmethod = 'h') ORDER BY c.relname <> $2, 1`;

/** Tables of a list that are not on every machine. */
const UNCOPIED = `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place) WHERE NOT EXISTS (
  SELECT FROM pg_dist_partition p WHERE p.logicalrelid = to_regclass(t.name) AND p.partmethod = 'n' AND p.repmodel = 't') ORDER BY place`;

/** Foreign keys from or to some tables; only tables that are already distributed may have them. */
const KEYS = `SELECT k.conrelid::regclass::text AS on, k.conname AS name, pg_get_constraintdef(k.oid) AS definition FROM pg_constraint k
  WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND NOT relation_is_a_known_shard(k.conrelid)
    AND (k.conrelid = ANY($1::regclass[]) OR k.confrelid = ANY($1::regclass[])) ORDER BY 1, 2`;

type Key = { on: string; name: string; definition: string };

/** Triggers that check tables against entities once a statement: they read other tables, which a distributed table's may not. */
const CHECKS = `SELECT g.tgrelid::regclass::text AS on, g.tgname AS name, f.proname = 'rapport_require_entities' AS "isForeignKey"
  FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
  WHERE f.pronamespace = 'public'::regnamespace AND f.proname IN ('rapport_require_entities', 'rapport_remove_of_entities', 'rapport_refuse_move') ORDER BY 1, 2`;

const namesOf = async (client: pg.Client, text: string, values: unknown[]): Promise<string[]> =>
  (await client.query<{ name: string }>(text, values)).rows.map(({ name }) => name);

async function spread(client: pg.Client, shards: number, log?: (line: string) => void): Promise<string[]> {
  await client.query("BEGIN");
  try {
    await allowTableChanges(client);
    const copied = await namesOf(client, UNCOPIED, [EVERYWHERE]);
    const tenants = await namesOf(client, UNSPREAD, [EVERYWHERE, FIRST]);
    const spreading = [...copied, ...tenants];
    const keys = spreading.length === 0 ? [] : (await client.query<Key>(KEYS, [spreading])).rows;
    for (const { on, name } of keys)
      await client.query(`ALTER TABLE ${on} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
    keys.push(...(await dropChecks(client)));
    for (const table of copied)
      await unforced(client, table, () => client.query("SELECT create_reference_table($1)", [table]));
    for (const table of tenants) {
      await unforced(client, table, () =>
        table === FIRST
          ? client.query(
              "SELECT create_distributed_table($1, 'workspace_id', shard_count => $2, colocate_with => 'none')",
              [table, shards],
            )
          : client.query("SELECT create_distributed_table($1, 'workspace_id', colocate_with => $2)", [table, FIRST]),
      );
      log?.(`distributed ${table}`);
    }
    for (const { on, name, definition } of keys)
      await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`);
    await client.query("COMMIT");
    return spreading;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Drops the checks of entities once a statement, and returns the foreign keys that do the same. */
async function dropChecks(client: pg.Client): Promise<Key[]> {
  const { rows } = await client.query<{ on: string; name: string; isForeignKey: boolean }>(CHECKS);
  for (const { on, name } of rows) await client.query(`DROP TRIGGER ${pg.escapeIdentifier(name)} ON ${on}`);
  return rows
    .filter(({ isForeignKey }) => isForeignKey)
    .map(({ on }) => ({
      on,
      name: `${on}_workspace_id_entity_id_fkey`,
      definition: "FOREIGN KEY (workspace_id, entity_id) REFERENCES entities(workspace_id, id) ON DELETE CASCADE",
    }));
}

/** Runs `work` while the owner of a table can see the rows to move. */
async function unforced(client: pg.Client, table: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ forced: boolean }>(
    "SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = to_regclass($1)",
    [table],
  );
  const forced = rows[0]?.forced === true;
  if (forced) await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await work();
  if (forced) await client.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}

/**
 * Settings of the login, which Citus also applies on its workers: a transaction's settings are passed on to them, since
 * row level security needs the workspace there, and they plan as the coordinator does (`APP_SETTINGS`). Returns how
 * many workers there are.
 */
async function settle(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ role: string; workers: number }>(
    "SELECT current_user AS role, (SELECT count(*)::int FROM citus_get_active_worker_nodes()) AS workers",
  );
  const [{ role, workers } = { role: "", workers: 0 }] = rows;
  await settleLogin(client, role, { ...APP_SETTINGS, "citus.propagate_set_commands": "local" });
  return workers;
}
