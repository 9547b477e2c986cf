import type { Statement } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Column } from "./rules/values.ts";

const catalog = sql(
  "restore_catalog",
  `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
     NOT a.attnotnull OR a.atthasdef AS "isOptional",
     (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e
      WHERE e.enumtypid = coalesce(nullif(t.typelem, 0), t.oid)) AS labels
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   JOIN pg_type t ON t.oid = a.atttypid
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1) ORDER BY c.relname, a.attnum`,
);

/** The columns of some tables. */
export async function findColumns(db: Db, tables: readonly string[]): Promise<Map<string, Column[]>> {
  const rows = await db.query<Column & { table: string }>(catalog, [tables]);
  return Map.groupBy(rows, ({ table }) => table);
}

type Target = readonly Pick<Column, "name" | "type" | "isOptional">[];

/**
 * Writes rows of a table, given as a JSON array of which these columns are taken. In a column of JSON that is never empty
 * null is a value: the end of a state.
 */
export function insertingRows(table: string, columns: Target): Statement {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns
    .map(({ name, type, isOptional }) => (type === "jsonb" && !isOptional ? `e.row -> '${name}'` : `r."${name}"`))
    .join(", ");
  return sql(
    "",
    `INSERT INTO "${table}" (workspace_id, ${names}) SELECT $workspace, ${values}
     FROM jsonb_array_elements($1::jsonb) AS e(row) CROSS JOIN LATERAL jsonb_populate_record(NULL::"${table}", e.row) AS r RETURNING NULL`,
  );
}

export async function insertRows(db: Db, table: string, columns: Target, json: string): Promise<void> {
  await db.query(insertingRows(table, columns), [json]);
}

/** Whether a table has rows of the workspace. */
export async function hasRows(db: Db, table: string): Promise<boolean> {
  const but = table === "entities" ? " AND id <> $workspace" : "";
  return (await db.query(sql("", `SELECT FROM "${table}" WHERE workspace_id = $workspace${but} LIMIT 1`))).length > 0;
}

/** Whether the workspace was read back from the file with this SHA-256. */
export const wasImported = async (db: Db, sha256: string): Promise<boolean> =>
  (await db.prisma.auditEntry.count({
    where: { action: "workspace.imported", detail: { path: ["sha256"], equals: sha256 } },
  })) > 0;

/** Removes the entity of an empty workspace, which the file has too. */
export async function removeOwnEntity(db: Db): Promise<void> {
  await db.prisma.entity.deleteMany({ where: { type: "workspace" } });
}

// workspaces_pkey
const workspace = sql(
  "restore_workspace",
  `INSERT INTO workspaces AS w (id, name, website, business_type, plan_model, default_signup_stage, inbound_retention_days, plan, created_at)
   SELECT $workspace, r.name, r.website, r.business_type, r.plan_model, r.default_signup_stage, r.inbound_retention_days, r.plan, r.created_at
   FROM jsonb_populate_record(NULL::workspaces, $1::jsonb) AS r
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, website = excluded.website, business_type = excluded.business_type,
     plan_model = excluded.plan_model, default_signup_stage = excluded.default_signup_stage,
     inbound_retention_days = excluded.inbound_retention_days, plan = excluded.plan, created_at = excluded.created_at`,
);

/** Creates the workspace, or gives an empty one the names and settings of the file. */
export async function writeWorkspace(db: Db, json: string): Promise<void> {
  await db.query(workspace, [json]);
}

/** The user with this address: one there is, or a new one without a password, with this id if it is free. */
export async function findOrCreateUser(
  db: Db,
  { id, otherId, email, name }: { id: string; otherId: string; email: string; name: string | null },
): Promise<string> {
  for (const wanted of [id, otherId]) {
    await db.prisma.user.createMany({ data: [{ id: wanted, email, name }], skipDuplicates: true });
    const user = await db.prisma.user.findFirst({ where: { email }, select: { id: true } });
    if (user) return user.id;
  }
  throw new Error("a user could not be created");
}

/** The users who are members already. */
export const findMembers = async (db: Db): Promise<Set<string>> =>
  new Set((await db.prisma.member.findMany({ select: { userId: true } })).map(({ userId }) => userId));

const next = sql(
  "restore_next_seq",
  "SELECT nextval(pg_get_serial_sequence('observations', 'seq'))::bigint AS seq FROM generate_series(1, $1::int) ORDER BY 1 DESC LIMIT 1",
);

/** Numbers drawn in one statement. */
const DRAWN = 100_000;

/** Makes later observations have higher numbers than this one. Numbers are drawn, because only their owner may set them. */
export async function passSeq(db: Db, highest: number): Promise<void> {
  const draw = async (count: number) => Number((await db.query<{ seq: number }>(next, [count]))[0]?.seq ?? 0);
  for (let seq = await draw(1); seq < highest; ) seq = await draw(Math.min(DRAWN, highest - seq));
}
