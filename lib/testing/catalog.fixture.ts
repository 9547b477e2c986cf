import { inspect } from "./database.ts";

/** A rule about every tenant table, as a query that returns what breaks it. */
export type CatalogRule = { name: string; find(): Promise<string[]> };

/** Tables of the app that hold a tenant's rows. */
const TENANT = `SELECT c.oid, c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped`;

/** Tables whose entities a trigger checks once a statement, in place of a foreign key. */
const CHECKED = `SELECT g.tgrelid AS oid FROM pg_trigger g WHERE g.tgfoid = to_regproc('rapport_require_entities')`;

/** Which table's rows refer to which, by a foreign key or by a check once a statement. */
export const REFERENCES = `SELECT conrelid AS oid, confrelid AS target, confdeltype = 'c' AS cascades FROM pg_constraint
  WHERE contype = 'f' AND NOT condeferrable UNION ALL SELECT oid, 'entities'::regclass, true FROM (${CHECKED}) c`;

const firstColumn = (oid: string, keys: string): string =>
  `(SELECT attname FROM pg_attribute WHERE attrelid = ${oid} AND attnum = (${keys})[1])`;

const rule = (name: string, query: string): CatalogRule => ({
  name,
  find: async () => (await inspect<{ what: string }>(query)).map(({ what }) => what).sort(),
});

export const catalogRules: readonly CatalogRule[] = [
  rule(
    "a tenant table has the primary key (workspace_id, id), or one of its own that begins with workspace_id where it has no id",
    `SELECT t.relname AS what FROM (${TENANT}) t WHERE NOT EXISTS (
       SELECT FROM pg_constraint k, LATERAL (
         SELECT array_agg(a.attname::text ORDER BY place) AS columns FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.num) AS key
       WHERE k.conrelid = t.oid AND k.contype = 'p' AND (
         key.columns = ARRAY['workspace_id', 'id'] OR (key.columns[1] = 'workspace_id' AND NOT EXISTS (
           SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'id'))))`,
  ),
  rule(
    "a unique index of a tenant table begins with workspace_id",
    `SELECT i.indexrelid::regclass::text AS what FROM pg_index i JOIN (${TENANT}) t ON t.oid = i.indrelid
     WHERE i.indisunique AND ${firstColumn("t.oid", "i.indkey::int2[]").replace("[1]", "[0]")} IS DISTINCT FROM 'workspace_id'`,
  ),
  rule(
    "a tenant table other than people and companies has no statistics of workspace_id, so that no plan takes a workspace for empty",
    `SELECT t.relname::text AS what FROM (${TENANT}) t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'workspace_id'
     WHERE t.relname NOT IN ('people', 'companies') AND a.attstattarget IS DISTINCT FROM 0`,
  ),
  rule(
    "a foreign key between tenant tables begins with workspace_id on both sides",
    `SELECT k.conname::text AS what FROM pg_constraint k JOIN (${TENANT}) f ON f.oid = k.conrelid JOIN (${TENANT}) t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND (${firstColumn("f.oid", "k.conkey")} <> 'workspace_id' OR ${firstColumn("t.oid", "k.confkey")} <> 'workspace_id')`,
  ),
  rule(
    "a tenant table belongs to its workspace or to a row of it, and is deleted with it",
    `SELECT t.relname::text AS what FROM (${TENANT}) t WHERE NOT EXISTS (
       SELECT FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'f' AND k.confdeltype = 'c'
         AND ${firstColumn("t.oid", "k.conkey")} = 'workspace_id') AND t.oid NOT IN (${CHECKED})`,
  ),
  rule(
    "a table whose entities are checked once a statement loses its rows with them",
    `SELECT c.relname::text AS what FROM pg_class c JOIN (${CHECKED}) k ON k.oid = c.oid WHERE NOT EXISTS (
       SELECT FROM pg_proc WHERE proname = 'rapport_remove_of_entities' AND strpos(prosrc, quote_literal(c.relname)) > 0)`,
  ),
  rule(
    "no foreign key changes ids: they never change, and a database of several machines refuses it",
    `SELECT k.conname::text AS what FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND k.confupdtype <> 'a'`,
  ),
  rule(
    "a trigger of a tenant table only refuses, as it runs on the machine of its row, where nobody listens; or distribute makes a foreign key of it",
    `SELECT t.relname || '.' || g.tgname AS what FROM (${TENANT}) t JOIN pg_trigger g ON g.tgrelid = t.oid JOIN pg_proc f ON f.oid = g.tgfoid
     WHERE NOT g.tgisinternal AND f.proname NOT IN ('rapport_refuse_change', 'rapport_refuse_move', 'rapport_require_entities', 'rapport_remove_of_entities')
     UNION ALL SELECT 'workspaces.' || g.tgname FROM pg_trigger g WHERE g.tgrelid = 'workspaces'::regclass AND NOT g.tgisinternal`,
  ),
  rule(
    "a tenant table enables and forces row level security",
    `SELECT t.relname::text AS what FROM (${TENANT}) t JOIN pg_class c ON c.oid = t.oid WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
  ),
  rule(
    "a tenant table has one policy for everything, keyed to the workspace of the transaction",
    `SELECT t.relname::text AS what FROM (${TENANT}) t WHERE NOT EXISTS (
       SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polname = 'tenant' AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
         AND pg_get_expr(p.polqual, t.oid) = '(workspace_id = rapport_workspace())'
         AND pg_get_expr(p.polwithcheck, t.oid) = '(workspace_id = rapport_workspace())')`,
  ),
  rule(
    "any other policy only lets read a row whose secret or user the caller has proven",
    `SELECT t.relname || '.' || p.polname AS what FROM (${TENANT}) t JOIN pg_policy p ON p.polrelid = t.oid
     WHERE p.polname <> 'tenant' AND NOT (p.polcmd = 'r' AND pg_get_expr(p.polqual, t.oid) ~ 'current_setting\\(''rapport\\.(key_hash|token_hash|user_id)''')`,
  ),
  rule(
    "an index that is no primary key names its query in a comment",
    `SELECT i.indexrelid::regclass::text AS what FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations' AND NOT i.indisprimary
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('u', 'x'))
       AND length(coalesce(obj_description(i.indexrelid, 'pg_class'), '')) < 10`,
  ),
  rule(
    "an index is ascending, so that new rows are added at its end; what lists descend by is read backwards",
    `SELECT i.indexrelid::regclass::text AS what FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND 1 = ANY (SELECT option & 1 FROM unnest(i.indoption::int2[]) AS option)`,
  ),
  rule(
    "a moment is a timestamptz",
    `SELECT table_name || '.' || column_name AS what FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('timestamp without time zone', 'time without time zone', 'time with time zone')`,
  ),
  rule(
    "a foreign key is found from its far side by an index, where rows there may go",
    `SELECT k.conname::text AS what FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
       SELECT FROM pg_index i WHERE i.indrelid = k.conrelid AND (i.indkey::int2[])[0] = k.conkey[1])`,
  ),
];
