import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Cell } from "../rules/cells.ts";
import { packed, unpacked } from "../rules/progress.ts";

// import_batches of the workspace are read whole: erasing is rare, and a file may name a person anywhere
const naming = sql(
  "import_batches_naming",
  `SELECT import_id AS "importId", place, first_row AS "firstRow", cells, checked, ran FROM import_batches
   WHERE workspace_id = $workspace AND (touched && $1::uuid[]
     OR EXISTS (SELECT FROM unnest($2::text[]) AS named(text) WHERE strpos(lower(cells), named.text) > 0))`,
);

type NamingBatch = {
  importId: string;
  place: number;
  firstRow: number;
  cells: string;
  checked: string | null;
  ran: string | null;
};

/** The batches with a row about one of these records, or with one of these texts. */
export const findBatchesNaming = (db: Db, ids: readonly string[], texts: readonly string[]): Promise<NamingBatch[]> =>
  db.query<NamingBatch>(naming, [ids, texts]);

/** Which rows of a batch those are, and the records that they were about. */
export function rowsNaming({ cells, ran }: NamingBatch, ids: readonly string[], texts: readonly string[]) {
  const results = ran ? unpacked(ran) : [];
  const rows: number[] = [];
  const entityIds = new Set<string>();
  for (const [index, row] of (JSON.parse(cells) as Cell[][]).entries()) {
    const entityId = results[index]?.entityId ?? null;
    const says = row.some((cell) => {
      const text = typeof cell === "string" ? cell.toLowerCase() : "";
      return texts.some((named) => text.includes(named));
    });
    if (!says && !(entityId !== null && ids.includes(entityId))) continue;
    rows.push(index);
    if (says && entityId !== null) entityIds.add(entityId);
  }
  return { rows, entityIds };
}

// import_batches_pkey; imports_pkey
const blank = sql(
  "import_batch_blank",
  `WITH emptied AS (
     UPDATE import_batches SET cells = $3, checked = $4, ran = $5,
       touched = ARRAY(SELECT unnest(touched) EXCEPT SELECT unnest($6::uuid[])),
       created = ARRAY(SELECT unnest(created) EXCEPT SELECT unnest($6::uuid[]))
     WHERE workspace_id = $workspace AND import_id = $1 AND place = $2)
   UPDATE imports SET columns = (SELECT coalesce(jsonb_agg(c || '{"samples": []}' ORDER BY n), '[]') FROM jsonb_array_elements(columns) WITH ORDINALITY AS t(c, n))
   WHERE workspace_id = $workspace AND id = $1`,
);

/** Empties rows of a batch, and the samples that its file is shown with. The rows keep their numbers. */
export async function blankRows(db: Db, batch: NamingBatch, rows: readonly number[]): Promise<void> {
  if (rows.length === 0) return;
  const gone = new Set(rows);
  const cells = (JSON.parse(batch.cells) as Cell[][]).map((row, index) => (gone.has(index) ? [] : row));
  const without = (text: string | null) =>
    text &&
    packed(
      unpacked(text).map((result, index) =>
        result && gone.has(index) ? { ...result, entityId: null, label: null, reasons: [], changes: [] } : result,
      ),
    );
  const entityIds = batch.ran
    ? unpacked(batch.ran).flatMap((result, at) => (gone.has(at) ? (result?.entityId ?? []) : []))
    : [];
  await db.query(blank, [
    batch.importId,
    batch.place,
    JSON.stringify(cells),
    without(batch.checked),
    without(batch.ran),
    entityIds,
  ]);
}

/**
 * Uploaded files are dropped: a piece may cut a name in two and has its own encoding, so none is searched. The rows of those that
 * were read are kept, so they can be imported, but not be read another way.
 */
export async function dropFiles(db: Db): Promise<void> {
  const problem = "A person was erased while the file was read. Upload it again without them.";
  await db.prisma.import.updateMany({
    where: { state: { in: ["uploading", "reading"] } },
    data: { state: "failed", kept: false, problem },
  });
  await db.prisma.importChunk.deleteMany();
}

export async function forgetRetired(db: Db, ids: readonly string[]): Promise<void> {
  await db.prisma.retiredObservation.deleteMany({ where: { entityId: { in: [...ids] } } });
}
