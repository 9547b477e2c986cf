import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";

type ObjectKind = "extension" | "table" | "column" | "index" | "constraint" | "policy" | "trigger" | "function";

/** One part of the schema. `table`: the one it is part of; empty for an extension and a function. */
export type DatabaseObject = { kind: ObjectKind; table: string; name: string; definition: string };

/** What the migrations make, one part a line. A test compares it with a migrated database. */
const FILE = path.resolve(import.meta.dirname, "../../prisma/objects.txt");

const OURS = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`;

/** Triggers that do not fire when the app writes. */
const OFF = "tgenabled IN ('D', 'R')";

/** Functions that are written again where a database was restored (`transactions.ts`). */
const REWRITTEN = "('rapport_transaction', 'rapport_settled')";

// Of functions the text as it was written, which every version of Postgres stores alike; a checkout on Windows may have other ends of
// lines. Not the constraints that say NOT NULL: only Postgres 18 has them, and the columns say it too.
const OBJECTS = `SELECT 'extension' AS kind, '' AS "table", extname::text AS name, '' AS definition FROM pg_extension
  UNION ALL SELECT 'table', c.relname::text, c.relname::text, concat_ws(', ',
    CASE WHEN c.relrowsecurity THEN 'row level security' END, CASE WHEN c.relforcerowsecurity THEN 'forced' END)
    FROM pg_class c WHERE ${OURS}
  UNION ALL SELECT 'column', c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE ${OURS}
  UNION ALL SELECT 'index', c.relname::text, x.relname::text, pg_get_indexdef(i.indexrelid)
    FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE ${OURS} AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  UNION ALL SELECT 'constraint', c.relname::text, k.conname::text, pg_get_constraintdef(k.oid)
    || CASE WHEN EXISTS (SELECT FROM pg_trigger g WHERE g.tgconstraint = k.oid AND ${OFF}) THEN ' disabled' ELSE '' END
    FROM pg_class c JOIN pg_constraint k ON k.conrelid = c.oid WHERE ${OURS} AND k.contype IN ('p', 'u', 'x', 'f', 'c')
  UNION ALL SELECT 'policy', c.relname::text, p.polname::text, concat_ws(' ', p.polcmd, CASE WHEN p.polpermissive THEN 'permissive' END,
    'for', p.polroles::text, 'using', pg_get_expr(p.polqual, c.oid), 'check', pg_get_expr(p.polwithcheck, c.oid))
    FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE ${OURS}
  UNION ALL SELECT 'trigger', c.relname::text, g.tgname::text, pg_get_triggerdef(g.oid)
    || CASE WHEN ${OFF} THEN ' disabled' ELSE '' END
    FROM pg_class c JOIN pg_trigger g ON g.tgrelid = c.oid WHERE ${OURS} AND NOT g.tgisinternal
  UNION ALL SELECT 'function', '', p.oid::regprocedure::text, CASE WHEN p.proname IN ${REWRITTEN} THEN '' ELSE
      concat_ws(' ', md5(replace(p.prosrc, chr(13), '')), CASE WHEN p.prosecdef THEN 'security definer' END, p.proconfig::text) END
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND starts_with(p.proname, 'rapport_')`;

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const lineOf = ({ kind, table, name, definition }: DatabaseObject): string =>
  [kind, table, name, definition].join("\t");

/** An operator may have put extensions into a schema of their own, whose name is then part of their operators. */
const withoutSchemas = (definition: string): string =>
  definition.replace(/\b\w+\.(?=\w+_ops\b)/g, "").replace(/\s+/g, " ");

/** The parts of the schema that a database has: those of the app, not those of its queue of jobs. */
export async function readObjects(client: pg.ClientBase): Promise<DatabaseObject[]> {
  await client.query("SET search_path = public"); // names outside of it are written with their schema
  const { rows } = await client.query<DatabaseObject>(OBJECTS);
  return rows
    .map((row) => ({ ...row, definition: withoutSchemas(row.definition) }))
    .sort((a, b) => inOrder(`${a.table} ${lineOf(a)}`, `${b.table} ${lineOf(b)}`));
}

export const textOfObjects = (objects: readonly DatabaseObject[]): string => `${objects.map(lineOf).join("\n")}\n`;

export const objectsIn = (text: string): DatabaseObject[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [kind, table, name, definition] = line.split("\t") as [ObjectKind, string, string, string];
      return { kind, table, name, definition };
    });

/** The parts that the migrations of this release make. */
export const expectedObjects = async (): Promise<DatabaseObject[]> => objectsIn(await readFile(FILE, "utf8"));
