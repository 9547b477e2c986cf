import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import type { TenantTable } from "./rules.ts";

export type Sizes = { observations: number; notes: number; identifiers: number };

/** How much there is about some entities. */
export async function countAbout(db: Db, ids: readonly string[]): Promise<Sizes> {
  const where = { entityId: { in: [...ids] } };
  return {
    observations: await db.prisma.observation.count({ where }),
    notes: await db.prisma.note.count({ where }),
    identifiers: await db.prisma.identifier.count({ where }),
  };
}

// idempotency holds a day's answers; read whole
const forget = sql(
  "idempotency_forget",
  `DELETE FROM idempotency WHERE workspace_id = $workspace AND NOT encrypted
   AND ${mentionsAny("body", "$1", "$2")}`,
);

/** Drops kept answers that mention one of these identifiers. */
export async function forgetAnswers(db: Db, identifiers: readonly string[]): Promise<void> {
  await db.query(forget, mentionValues(identifiers));
}

/** What an export reads of a table, where that is more than the table. */
const sources: Readonly<Record<string, string>> = {
  members: `(SELECT m.*, u.email, u.name FROM members m JOIN users u ON u.id = m.user_id)`,
};

/** One row of a big table at a time would be slow, all at once too much: notes may be long. */
const AT_ONCE = { notes: 10, others: 1000 } as const;

/**
 * A workspace's rows of a table as JSON texts, in pieces, in the order of their keys; given `ids`, those of these entities
 * alone.
 */
export async function* readTable(
  db: Db,
  { name, left, entity = [], order = ["id"] }: TenantTable,
  ids?: readonly string[],
): AsyncGenerator<string[]> {
  const without = left && "columns" in left ? left.columns : [];
  const row = `to_jsonb(t) - '{workspace_id${without.map((column) => `,${column}`).join("")}}'::text[]`;
  const theirs = ids ? ` AND (${entity.map((column) => `t.${column} = ANY($1)`).join(" OR ")})` : "";
  await db.query(
    sql(
      "",
      `DECLARE export NO SCROLL CURSOR FOR SELECT (${row})::text AS row FROM ${sources[name] ?? name} AS t WHERE t.workspace_id = $workspace${theirs} ORDER BY ${order.map((column) => `t.${column}`).join(", ")}`,
    ),
    ids ? [ids] : [],
  );
  const fetch = sql("", `FETCH ${name === "notes" ? AT_ONCE.notes : AT_ONCE.others} FROM export`);
  for (;;) {
    const rows = await db.query<{ row: string }>(fetch);
    if (rows.length === 0) break;
    yield rows.map((item) => item.row);
  }
  await db.query(sql("", "CLOSE export"));
}

const workspace = sql("export_workspace", "SELECT to_jsonb(w)::text AS row FROM workspaces w WHERE id = $workspace");

export const readWorkspace = async (db: Db): Promise<string | null> =>
  (await db.query<{ row: string }>(workspace))[0]?.row ?? null;
