import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Note } from "#prisma/generated/client.ts";
import type { NoteType } from "../contract.ts";

export type NewNote = Omit<Note, "workspaceId">;

const insertRow = sql(
  "note_insert",
  `INSERT INTO notes (workspace_id, id, entity_id, type, title, date, date_only, content, source, actor, client, created_at, supersedes)
   VALUES ($workspace, $1, $2, $3::note_type, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** Sent with the COMMIT. */
export function insertNote(db: Db, note: NewNote): void {
  void db.defer(insertRow, [
    note.id,
    note.entityId,
    note.type,
    note.title,
    note.date,
    note.dateOnly,
    note.content,
    note.source,
    note.actor,
    note.client,
    note.createdAt,
    note.supersedes,
  ]);
}

/** SQL condition: no note corrects `n`, as far as was known at `knownAt`. */
// notes_supersedes_key
const current = (knownAt?: string): string =>
  `NOT EXISTS (SELECT FROM notes s WHERE s.workspace_id = $workspace AND s.supersedes = n.id${
    knownAt ? ` AND s.created_at <= coalesce(${knownAt}, 'infinity')` : ""
  })`;

/** What every reader needs from a note. `entityId` is its current owner, after merges. */
export type NoteHead = Omit<NewNote, "content" | "actor" | "client" | "supersedes">;

const HEAD = `n.id, coalesce(e.merged_into, e.id) AS "entityId", n.type::text, n.title, n.date, n.date_only AS "dateOnly", n.source, n.created_at AS "createdAt"`;
const WHOSE = "JOIN entities e ON e.workspace_id = n.workspace_id AND e.id = n.entity_id";

// notes_pkey; entities_pkey
const byId = sql(
  "note_by_id",
  `SELECT ${HEAD}, n.content FROM notes n ${WHOSE} WHERE n.workspace_id = $workspace AND n.id = $1`,
);

export const findNote = async (db: Db, id: string): Promise<(NoteHead & { content: string }) | null> =>
  (await db.query<NoteHead & { content: string }>(byId, [id]))[0] ?? null;

/** The whole texts of some notes, by id. */
export async function findContents(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.prisma.note.findMany({ where: { id: { in: [...ids] } }, select: { id: true, content: true } });
  return new Map(rows.map(({ id, content }) => [id, content]));
}

// notes_pkey; notes_supersedes_key
const toSupersede = sql(
  "note_to_supersede",
  `SELECT n.id, n.entity_id AS "entityId", n.type::text, n.title, n.date, n.date_only AS "dateOnly", n.actor, n.client,
     (SELECT s.id FROM notes s WHERE s.workspace_id = $workspace AND s.supersedes = n.id) AS "supersededBy",
     (SELECT o.id FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = n.entity_id AND o.property = 'note.saved' AND o.value ->> 'note_id' = n.id::text LIMIT 1) AS "eventId"
   FROM notes n WHERE n.workspace_id = $workspace AND n.id = $1 FOR UPDATE OF n`,
);

export type ToSupersede = Pick<
  NewNote,
  "id" | "entityId" | "type" | "title" | "date" | "dateOnly" | "actor" | "client"
> & {
  supersededBy: string | null;
  /** the event that says that it was saved */
  eventId: string | null;
};

/** A note that is to be corrected, locked: what gives it an embedding waits. The caller holds the lock of its entity. */
export const findToSupersede = async (db: Db, id: string): Promise<ToSupersede | null> =>
  (await db.query<ToSupersede>(toSupersede, [id]))[0] ?? null;

const MOST_VERSIONS = 50;
// notes_pkey, notes_supersedes_key, users_pkey
const versionsOf = sql(
  "note_versions",
  `WITH RECURSIVE older AS (
     SELECT id, supersedes, 0 AS place FROM notes WHERE workspace_id = $workspace AND id = $1
     UNION ALL SELECT n.id, n.supersedes, o.place - 1 FROM older o JOIN notes n ON n.workspace_id = $workspace AND n.id = o.supersedes WHERE o.place > -${MOST_VERSIONS}
   ), newer AS (
     SELECT id, 0 AS place FROM notes WHERE workspace_id = $workspace AND id = $1
     UNION ALL SELECT n.id, w.place + 1 FROM newer w JOIN notes n ON n.workspace_id = $workspace AND n.supersedes = w.id WHERE w.place < ${MOST_VERSIONS}
   )
   SELECT v.id, n.source, n.created_at AS "createdAt", coalesce(nullif(u.name, ''), u.email) AS author FROM (SELECT id, place FROM older UNION SELECT id, place FROM newer) AS v
   JOIN notes n ON n.workspace_id = $workspace AND n.id = v.id
   LEFT JOIN users u ON u.id = CASE WHEN n.actor LIKE 'user:%' THEN substr(n.actor, 6)::uuid END ORDER BY v.place DESC LIMIT ${MOST_VERSIONS}`,
);

type NoteVersionRow = { id: string; source: string; author: string | null; createdAt: Date };

/** A note with what it corrects and what corrects it, the newest first. */
export const findNoteVersions = (db: Db, id: string): Promise<NoteVersionRow[]> =>
  db.query<NoteVersionRow>(versionsOf, [id]);

/** Notes of some entities (a focus with what was merged into it), of a type, of a date or later, older than a position; null: all of them. */
export type NoteFilter = {
  /** the versions that were current then; default: now */
  knownAt?: Date | null;
  entityIds: readonly string[] | null;
  type: NoteType | null;
  since?: Date | null;
  after: { date: string; id: string } | null;
};

export type NoteOpening = NoteHead & { opening: string };

/**
 * Characters of an opening: more than a snippet, because white space is collapsed. Content of this length goes on after
 * it.
 */
export const OPENING = 600;

// notes_date_idx, notes_type_date_idx or notes_entity_date_idx, whichever the filter asks for
const pages = [0, 1, 2, 3, 4, 5, 6, 7].map((which) => {
  const [focus, type, after] = [which & 1, which & 2, which & 4];
  return sql(
    `notes_page_${which}`,
    `SELECT ${HEAD}, left(n.content, ${OPENING}) AS opening FROM notes n ${WHOSE}
     WHERE n.workspace_id = $workspace AND ${focus ? "n.entity_id = ANY($2)" : "$2::uuid[] IS NULL"}
       AND ${type ? "n.type = $3::note_type" : "$3::note_type IS NULL"}
       AND n.date >= $6 AND ${after ? "(n.date, n.id) < ($4, $5)" : "$4::timestamptz IS NULL AND $5::uuid IS NULL"}
       AND n.created_at <= coalesce($7::timestamptz, 'infinity') AND ${current("$7::timestamptz")}
     ORDER BY n.date DESC, n.id DESC LIMIT $1`,
  );
});

/** Notes by their date, the latest first. */
export function findNotes(
  db: Db,
  { entityIds, type, since, after, knownAt }: NoteFilter,
  limit: number,
): Promise<NoteOpening[]> {
  const page = pages[(entityIds ? 1 : 0) + (type ? 2 : 0) + (after ? 4 : 0)];
  if (!page) throw new Error("no such page");
  return db.query<NoteOpening>(page, [
    limit,
    entityIds,
    type,
    after?.date ?? null,
    after?.id ?? null,
    since ?? "-infinity",
    knownAt ?? null,
  ]);
}

// notes_pkey
const excerptsOf = sql(
  "notes_excerpts",
  `SELECT ${HEAD}, substr(n.content, w.place + 1, $3) AS excerpt FROM unnest($1::uuid[], $2::int[]) AS w(id, place)
   JOIN notes n ON n.workspace_id = $workspace AND n.id = w.id ${WHOSE}`,
);

/** Notes with `length` characters of their content, each from its own position (in code points). */
export const findExcerpts = (db: Db, places: readonly { id: string; place: number }[], length: number) =>
  db.query<NoteHead & { excerpt: string }>(excerptsOf, [
    places.map(({ id }) => id),
    places.map(({ place }) => place),
    length,
  ]);
