import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { NoteType } from "../contract.ts";
import { MOST_VARIANTS } from "../rules/asking.ts";
import type { Span } from "../rules/question-dates.ts";

// One statement, so that a part is seen either among those that wait or in the postings, never in both or in neither.
// note_terms_pkey, note_postings_pkey, note_parts_pending_idx, note_totals_pkey. The cost of a term is how many entries
// it and all rarer ones have: terms that occur in half of a large workspace are left to ranking.
const indexRows = sql(
  "notes_index_read",
  `WITH asked AS (
     SELECT t.term, t.parts, t.entries FROM note_terms t WHERE t.workspace_id = $workspace AND t.term = ANY($1::text[])
     UNION
     SELECT longer.* FROM unnest($2::text[]) AS p(prefix) CROSS JOIN LATERAL (
       SELECT t.term, t.parts, t.entries FROM note_terms t
       WHERE t.workspace_id = $workspace AND t.term > p.prefix AND t.term < p.prefix || chr(1114111) ORDER BY t.term LIMIT ${MOST_VARIANTS}) AS longer
   ), costed AS (
     SELECT term, parts, entries, sum(parts) OVER (ORDER BY parts, term) AS cost, row_number() OVER (ORDER BY parts, term) AS place FROM asked
   ), affordable AS (
     SELECT term, parts, entries FROM costed WHERE cost <= $3 OR (place = 1 AND $3 > 0)
   )
   SELECT 'term' AS kind, c.term, c.parts, a.entries, NULL::uuid AS "noteId", NULL::int AS part, NULL::uuid AS "entityId", NULL::text AS type,
     NULL::timestamptz AS date, NULL::bigint AS length, NULL::text AS pending
   FROM costed c LEFT JOIN affordable a ON a.term = c.term
   UNION ALL
   SELECT 'block', p.term, NULL, p.entries, NULL, NULL, NULL, NULL, NULL, NULL, NULL
   FROM affordable a JOIN note_postings p ON p.workspace_id = $workspace AND p.term = a.term
   UNION ALL
   SELECT 'part', NULL, NULL, words, note_id, part, entity_id, type::text, date, length, pending
   FROM note_parts WHERE workspace_id = $workspace AND pending IS NOT NULL
   UNION ALL
   SELECT 'totals', NULL, parts, NULL, NULL, next_number, NULL, NULL, NULL, length, NULL
   FROM note_totals WHERE workspace_id = $workspace`,
);

type IndexRow =
  | { kind: "term"; term: string; parts: number; entries: Buffer | null }
  | { kind: "block"; term: string; entries: Buffer }
  | ({ kind: "part"; entries: Buffer; pending: string } & Omit<PartWords, "words">)
  | { kind: "totals"; parts: number; part: number; length: number };

/** null: every type */
type Types = readonly NoteType[] | null;

/** What ranking reads of a part. */
export type PartWords = {
  noteId: string;
  part: number;
  entityId: string;
  type: NoteType;
  date: Date;
  length: number;
  words: Buffer;
};

export type IndexPart = {
  /** terms of the postings, with their entries as far as the budget allows */
  terms: Map<string, { parts: number; entries: Buffer[] }>;
  waiting: (PartWords & { pending: string })[];
  totals: { nextNumber: number; parts: number; length: number };
};

/**
 * Reads the postings of some terms and of terms that begin with them, at most `budget` entries, and all parts that
 * wait.
 */
export async function readIndex(
  db: Db,
  terms: readonly string[],
  prefixes: readonly string[],
  budget: number,
): Promise<IndexPart> {
  const read: IndexPart = { terms: new Map(), waiting: [], totals: { nextNumber: 0, parts: 0, length: 0 } };
  const blocks: { term: string; entries: Buffer }[] = [];
  for (const row of await db.query<IndexRow>(indexRows, [terms, prefixes, budget])) {
    if (row.kind === "term") read.terms.set(row.term, { parts: row.parts, entries: row.entries ? [row.entries] : [] });
    else if (row.kind === "block") blocks.push(row);
    else if (row.kind === "part") read.waiting.push({ ...row, words: row.entries });
    else read.totals = { nextNumber: row.part, parts: row.parts, length: row.length };
  }
  for (const { term, entries } of blocks) read.terms.get(term)?.entries.push(entries);
  return read;
}

const WORDS = `p.note_id AS "noteId", p.part, p.entity_id AS "entityId", p.type::text, p.date, p.length, p.words`;

// note_parts_workspace_id_number_key
const partsByNumber = sql(
  "note_parts_by_number",
  `SELECT ${WORDS} FROM note_parts p WHERE p.workspace_id = $workspace AND p.number = ANY($1::int[])`,
);

/** The parts of these numbers. */
export const findParts = (db: Db, numbers: readonly number[]): Promise<PartWords[]> =>
  db.query<PartWords>(partsByNumber, [numbers]);

// note_parts_entity_idx
const numbersOfEntities = sql(
  "note_parts_numbers_of_entities",
  `SELECT p.number, p.length FROM note_parts p
   WHERE p.workspace_id = $workspace AND p.entity_id = ANY($1) AND ($2::note_type[] IS NULL OR p.type = ANY($2::note_type[]))`,
);

/** The parts of some entities; those that wait have no number. */
export const findPartsOfEntities = (db: Db, entityIds: readonly string[], types: Types) =>
  db.query<{ number: number | null; length: number }>(numbersOfEntities, [entityIds, types]);

// note_names_pkey; entities_pkey; note_parts_entity_idx. LATERAL with LIMIT keeps the planner to one probe a name, however
// many parts it expects the workspace to have.
const named = sql(
  "note_parts_named",
  `SELECT n.word, p.entity_id AS "entityId", p.number FROM note_names n
   JOIN entities e ON e.workspace_id = n.workspace_id AND e.id = n.entity_id
   CROSS JOIN LATERAL unnest(array_prepend(e.id, e.absorbed)) AS whose(id)
   CROSS JOIN LATERAL (
     SELECT q.entity_id, q.number FROM note_parts q WHERE q.workspace_id = $workspace AND q.entity_id = whose.id
       AND ($2::note_type[] IS NULL OR q.type = ANY($2::note_type[])) ORDER BY q.date DESC LIMIT $3) AS p
   WHERE n.workspace_id = $workspace AND n.word = ANY($1::text[]) LIMIT $3`,
);

/** Parts of these types, of the people and companies whose names have one of these words. */
export const findNamed = (db: Db, words: readonly string[], types: Types, limit: number) =>
  db.query<{ word: string; entityId: string; number: number | null }>(named, [words, types, limit]);

// note_parts_date_idx
const inSpans = sql(
  "note_parts_in_spans",
  `SELECT p.number FROM unnest($1::timestamptz[], $2::timestamptz[]) AS s(first, last) CROSS JOIN LATERAL (
     SELECT q.number FROM note_parts q WHERE q.workspace_id = $workspace AND q.date >= s.first AND q.date < s.last
       AND q.number IS NOT NULL AND ($3::note_type[] IS NULL OR q.type = ANY($3::note_type[])) ORDER BY q.date DESC LIMIT $4) AS p`,
);

/** Numbers of the latest parts of these types within each of the spans. */
export async function findInSpans(db: Db, spans: readonly Span[], types: Types, limit: number): Promise<number[]> {
  const [first, last] = [spans.map(({ from }) => from), spans.map(({ to }) => to)];
  const rows = await db.query<{ number: number }>(inSpans, [first, last, types, limit]);
  return rows.map(({ number }) => number);
}

// note_terms_pkey, note_names_pkey; some hundred probes a word, kept to probes by LATERAL with LIMIT
const corrections = sql(
  "note_terms_near",
  `SELECT e.form, s.term, t.parts, n.word IS NOT NULL AS named
   FROM unnest($1::text[]) AS e(form) CROSS JOIN LATERAL (SELECT (ts_lexize('english_stem', e.form))[1] AS term) AS s
   LEFT JOIN LATERAL (SELECT k.parts FROM note_terms k WHERE k.workspace_id = $workspace AND k.term = s.term LIMIT 1) AS t ON true
   LEFT JOIN LATERAL (SELECT k.word FROM note_names k WHERE k.workspace_id = $workspace AND k.word = e.form LIMIT 1) AS n ON true
   WHERE s.term IS NOT NULL`,
);

/** Which of these forms the workspace contains: in how many parts of the postings, and as a name. */
export const findKnown = (db: Db, forms: readonly string[]) =>
  db.query<{ form: string; term: string; parts: number | null; named: boolean }>(corrections, [forms]);
