import type { Db } from "#lib/db/handle.ts";
import { sql, sqlPlannedOnce } from "#lib/db/statement.ts";
import { valueBefore } from "#lib/domain/records/evidence/service.ts";
import { bookkeeping } from "#lib/domain/records/evidence/words.ts";
import type { ChangeType } from "./contract.ts";
import type { RowPlace } from "./rules/cursors.ts";

/**
 * A row is final once no transaction that is as old can still commit: then nothing can appear before it. So every statement
 * stops at `rapport_settled()`, the oldest transaction that its own snapshot sees under way.
 */
const FINAL = "(written_in, seq) > ($1::bigint, $2::bigint) AND written_in < rapport_settled()";

/** How many rows a page with a filter looks at, at most; part of the statement, so that the planner knows it. */
export const EXAMINED = 20_000;

/**
 * A row of a page, in few values, because each costs Node time. What needs no escaping comes printed; what many rows have in
 * common comes in one text, which is escaped once a page.
 */
export type ChangeRow = {
  writtenIn: number;
  seq: number;
  /** the members of the `Change` before its `entity_name`, as JSON without braces */
  head: string;
  /** what the record is called, a `Naming` as JSON; null when it was erased */
  naming: string | null;
  /** actor, property and source, in lines; of the three only a source can have several lines */
  said: string;
  /** JSON, as the one before it; null for what is about no property */
  value: string | null;
  previous: string | null;
  /** of a merge, with the other record */
  mergeId: string | null;
  otherId: string | null;
  causedBy: string | null;
};

const OBSERVED = `CASE WHEN o.kind = 'event' THEN CASE WHEN o.property = 'note.saved' THEN 'note' ELSE 'activity' END
    WHEN o.property LIKE '${bookkeeping.retired}%' THEN 'activity'
    WHEN o.property = 'pipeline_stage' THEN 'stage'
    WHEN o.entity_id = o.workspace_id AND starts_with(o.property, 'note.') THEN 'fact' ELSE 'state' END`;

/** Both kinds of rows, in columns of the same names. `wide`: all that a page shows. */
const observed = (wide: boolean) =>
  `SELECT o.written_in, o.seq, ${OBSERVED} AS type, o.id, o.entity_id, NULL::uuid AS other_id${
    wide ? ", o.property, o.value, o.source, o.actor, o.caused_by, o.recorded_at AS at" : ""
  } FROM observations o`;
const happened = (wide: boolean) =>
  `SELECT c.written_in, c.seq, c.type, c.merge_id, c.entity_id, c.other_id${
    wide ? ", c.property, c.value, c.source, c.actor, NULL::uuid, c.at" : ""
  } FROM changes c`;

const inOrder = (wide: boolean, limit: string) => `SELECT * FROM (
     (${observed(wide)} WHERE o.workspace_id = $workspace AND ${FINAL} ORDER BY written_in, seq LIMIT ${limit})
     UNION ALL
     (${happened(wide)} WHERE c.workspace_id = $workspace AND ${FINAL} ORDER BY written_in, seq LIMIT ${limit})
   ) AS either ORDER BY written_in, seq LIMIT ${limit}`;

/**
 * Who reads from the beginning is told of a record under its own id before it is told what it was merged into. Connections use
 * UTC.
 */
const HEAD = `concat('"type":"', l.type, '","at":"', to_char(l.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '","id":"' || l.id, '","entity_id":"',
     CASE WHEN l.type IN ('person.created', 'company.created', 'erased') THEN l.entity_id ELSE coalesce(w.owner, l.entity_id) END, '"')`;
const SAID = `concat(l.actor, E'\\n', l.property, E'\\n', l.source)`;
/** What is no observation says what is believed after evidence was retired: the value before went with the evidence. */
const PREVIOUS = `CASE WHEN l.type IN ('state', 'stage', 'fact') AND l.id IS NOT NULL THEN ${valueBefore({ owner: "w.owner", absorbed: "w.absorbed", alone: "w.alone", property: "l.property", seq: "l.seq" })} END`;

/**
 * What a page shows of the rows of `from`: who they are about now with what that is called, and what was said of a state's
 * property before. `w` has each record once; it is joined FULL, which finds the same rows as LEFT, because only that is never
 * done by comparing each row with each record.
 */
const shown = (from: string) => `
   SELECT l.written_in AS "writtenIn", l.seq, ${HEAD} AS head, w.naming, ${SAID} AS said, l.value::text AS value, (${PREVIOUS})::text AS previous,
     CASE WHEN l.other_id IS NOT NULL THEN l.id END AS "mergeId", l.other_id AS "otherId", l.caused_by AS "causedBy"
   FROM (${from}) AS l
   FULL JOIN (
     SELECT e.id, e.absorbed, e.absorbed = '{}' AS alone, e.owner, coalesce(p.naming, c.naming, (SELECT json_build_object('name', name)::text FROM workspaces WHERE id = $workspace AND id = e.owner), '{}') AS naming
     FROM (
       SELECT e.id, coalesce(k.id, e.id) AS owner, coalesce(k.type, e.type) AS type, coalesce(k.absorbed, e.absorbed) AS absorbed
       FROM (SELECT DISTINCT entity_id FROM (${from}) AS about) AS about
       JOIN entities e ON e.workspace_id = $workspace AND e.id = about.entity_id
       LEFT JOIN entities k ON k.workspace_id = $workspace AND k.id = e.merged_into OFFSET 0
     ) AS e
     LEFT JOIN LATERAL (SELECT json_build_object('firstName', first_name, 'lastName', last_name, 'email', coalesce(email, linkedin_url))::text AS naming FROM people p WHERE p.workspace_id = $workspace AND p.id = e.owner AND e.type = 'person' LIMIT 1) AS p ON true
     LEFT JOIN LATERAL (SELECT json_build_object('name', name, 'domain', coalesce(domain, linkedin_url))::text AS naming FROM companies c WHERE c.workspace_id = $workspace AND c.id = e.owner AND e.type = 'company' LIMIT 1) AS c ON true
   ) AS w ON w.id = l.entity_id
   ORDER BY l.written_in, l.seq`;

// observations_written_idx, changes_pkey; entities_pkey, people_pkey and companies_pkey for each record;
// observations_workspace_id_entity_id_property_seq_idx for each state. Planned once for all places: at the end of the feed the
// planner expects a row or none, and finds a plan for that place cheaper.
const every = sqlPlannedOnce(
  "changes_page",
  `WITH listed AS MATERIALIZED (${inOrder(true, "$3")}) ${shown("SELECT * FROM listed")}`,
);

/** The next rows behind a place, in order. */
export const findChanges = (db: Db, [writtenIn, seq]: RowPlace, limit: number): Promise<ChangeRow[]> =>
  db.query<ChangeRow>(every, [writtenIn, seq, limit]);

const firstBehind = (table: string) =>
  `(SELECT true FROM ${table} WHERE workspace_id = $workspace AND ${FINAL} ORDER BY written_in, seq LIMIT 1)`;

// observations_written_idx, changes_pkey. Planned once, as a page is. In order, and not EXISTS, which drops the order: while a
// table is small, any index with the workspace looks as good as the one that begins at the place.
const behind = sqlPlannedOnce(
  "changes_behind",
  `SELECT coalesce(${firstBehind("observations")}, ${firstBehind("changes")}, false) AS more`,
);

/** False when there is no final row behind a place, of any type and about anything: then every page from there is empty. */
export const hasBehind = async (db: Db, [writtenIn, seq]: RowPlace): Promise<boolean> =>
  (await db.query<{ more: boolean }>(behind, [writtenIn, seq]))[0]?.more !== false;

/** Rows `l` without what they say, with it. */
const complete = (from: string) => `
   SELECT l.*, coalesce(o.property, c.property) AS property, coalesce(o.value, c.value) AS value, coalesce(o.source, c.source) AS source, coalesce(o.actor, c.actor) AS actor, o.caused_by,
     coalesce(o.recorded_at, c.at) AS at
   FROM (${from}) AS l
   LEFT JOIN observations o ON o.workspace_id = $workspace AND o.id = l.id AND o.written_in = l.written_in AND o.seq = l.seq
   LEFT JOIN changes c ON c.workspace_id = $workspace AND c.written_in = l.written_in AND c.seq = l.seq`;

// observations_written_idx, changes_pkey for what is looked at, which ends with the last row of the page; the rest as above, and
// observations_pkey, for what matches
const some = sqlPlannedOnce(
  "changes_page_of_types",
  `WITH looked AS MATERIALIZED (${inOrder(false, String(EXAMINED))}),
   matched AS MATERIALIZED (SELECT * FROM looked WHERE type = ANY($4) ORDER BY written_in, seq LIMIT $3),
   listed AS MATERIALIZED (${complete("SELECT * FROM matched")})
   SELECT edge.examined, edge.written_in AS "edgeIn", edge.seq AS "edgeSeq", page.*
   FROM (SELECT count(*) < $3 AS short FROM matched) AS found
   LEFT JOIN LATERAL (
     SELECT written_in, seq, (SELECT count(*)::int FROM looked) AS examined FROM looked WHERE found.short ORDER BY written_in DESC, seq DESC LIMIT 1
   ) AS edge ON true
   LEFT JOIN (${shown("SELECT * FROM listed")}) AS page ON true ORDER BY page."writtenIn", page.seq`,
);

type Edge = { examined: number | null; edgeIn: number | null; edgeSeq: number | null };

/**
 * The next rows of some types behind a place, in order, among the `EXAMINED` that follow it. Where they are fewer than the
 * limit: the place of the last that was looked at, null when there was none. `more`: there may be others behind it.
 */
export async function findChangesOfTypes(
  db: Db,
  [writtenIn, seq]: RowPlace,
  limit: number,
  types: readonly ChangeType[],
): Promise<{ rows: ChangeRow[]; edge: RowPlace | null; more: boolean }> {
  const rows = await db.query<ChangeRow & Edge>(some, [writtenIn, seq, limit, types]);
  const { examined, edgeIn, edgeSeq } = rows[0] ?? { examined: null, edgeIn: null, edgeSeq: null };
  return {
    rows: rows.filter((row) => row.writtenIn !== null),
    edge: edgeIn === null || edgeSeq === null ? null : [edgeIn, edgeSeq],
    more: (examined ?? 0) >= EXAMINED,
  };
}

const OF_TYPES = "($4::text[] IS NULL OR type = ANY($4))";
// observations_entity_written_idx, a page of each of these records; changes_entity_idx and changes_other_idx, all of them, of which few
// are many
const ofEntities = sqlPlannedOnce(
  "changes_page_of_entities",
  `WITH listed AS MATERIALIZED (SELECT * FROM (
     SELECT theirs.* FROM unnest($5::uuid[]) AS about(id) CROSS JOIN LATERAL (
       SELECT * FROM (${observed(true)} WHERE o.workspace_id = $workspace AND o.entity_id = about.id AND ${FINAL}) AS one
       WHERE ${OF_TYPES} ORDER BY written_in, seq LIMIT $3
     ) AS theirs
     UNION ALL
     SELECT * FROM (${happened(true)} WHERE c.workspace_id = $workspace AND (c.entity_id = ANY($5::uuid[]) OR c.other_id = ANY($5::uuid[])) OFFSET 0) AS theirs
     WHERE ${FINAL} AND ${OF_TYPES}
   ) AS either ORDER BY written_in, seq LIMIT $3)
   ${shown("SELECT * FROM listed")}`,
);

/** The next rows about some records behind a place, in order. */
export const findChangesOfEntities = (
  db: Db,
  [writtenIn, seq]: RowPlace,
  limit: number,
  types: readonly ChangeType[] | null,
  ids: readonly string[],
): Promise<ChangeRow[]> => db.query<ChangeRow>(ofEntities, [writtenIn, seq, limit, types, ids]);

const settled = sql("changes_settled", `SELECT rapport_settled() AS settled`);

/** The first transaction whose rows may still be to come: what is older was handed out, or can be. */
export async function findSettled(db: Db): Promise<number> {
  const [row] = await db.query<{ settled: number }>(settled, []);
  if (!row) throw new Error("the database did not say which transactions are under way");
  return row.settled;
}

const before = sql(
  "changes_before",
  // observations_pkey, backwards: ids begin with the time they were made at
  `SELECT written_in AS "writtenIn", seq FROM observations WHERE workspace_id = $workspace AND id < $1 ORDER BY id DESC LIMIT 1`,
);

/** The longest that a transaction is under way. */
const LONGEST_MS = 60_000;

/** A place before everything that was recorded at a time or later; null for the beginning. */
export async function findPlaceBefore(db: Db, time: Date): Promise<RowPlace | null> {
  const ms = Math.max(0, time.getTime() - LONGEST_MS)
    .toString(16)
    .padStart(12, "0");
  const [row] = await db.query<{ writtenIn: number; seq: number }>(before, [
    `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`,
  ]);
  return row ? [row.writtenIn, row.seq] : null;
}

const latest = (table: string) =>
  `(SELECT written_in FROM ${table} WHERE workspace_id = $workspace ORDER BY written_in DESC, seq DESC LIMIT 1)`;

// observations_written_idx, changes_pkey, backwards: the last row of each. In order, for the reason that `behind` gives.
const unsettled = sqlPlannedOnce(
  "changes_unsettled",
  `SELECT coalesce(greatest(${latest("observations")}, ${latest("changes")}) >= rapport_settled(), false) AS pending`,
);

/** True when rows are committed that are not final yet: no one announces when they are. */
export const findUnsettled = async (db: Db): Promise<boolean> =>
  (await db.query<{ pending: boolean }>(unsettled, []))[0]?.pending === true;

const place = sql(
  "change_reader",
  `SELECT began_in AS "beganIn", began_seq AS "beganSeq", reached_in AS "reachedIn", reached_seq AS "reachedSeq"
   FROM change_readers WHERE workspace_id = $workspace AND reader = $1 AND client = $2`,
);

/** Who reads: a key or person, under one of its labels. */
export type Reader = { reader: string; client: string };

/** Where the latest answer to this reader began and ended; null when there was none. */
export async function findReader(
  db: Db,
  { reader, client }: Reader,
): Promise<{ began: RowPlace; reached: RowPlace } | null> {
  const [row] = await db.query<{ beganIn: number; beganSeq: number; reachedIn: number; reachedSeq: number }>(place, [
    reader,
    client,
  ]);
  return row ? { began: [row.beganIn, row.beganSeq], reached: [row.reachedIn, row.reachedSeq] } : null;
}

// `known`: what the reader's row said when the answer was begun; another call that was quicker has moved it since.
const advance = sql(
  "change_reader_advance",
  `INSERT INTO change_readers AS r (workspace_id, reader, client, began_in, began_seq, reached_in, reached_seq)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, reader, client) DO UPDATE SET began_in = EXCLUDED.began_in, began_seq = EXCLUDED.began_seq,
     reached_in = EXCLUDED.reached_in, reached_seq = EXCLUDED.reached_seq, read_at = EXCLUDED.read_at
   WHERE (r.reached_in, r.reached_seq) = ($7, $8)`,
);

/** Keeps where an answer began and ended, unless another answer was given since the reader's place was read (`known`). */
export async function advanceReader(
  db: Db,
  { reader, client }: Reader,
  began: RowPlace,
  reached: RowPlace,
  lastReached: RowPlace | null,
): Promise<void> {
  await db.query(advance, [reader, client, ...began, ...reached, ...(lastReached ?? [null, null])]);
}

/** Forgets readers that have not come back since. */
export async function removeReadersBefore(db: Db, before: Date): Promise<void> {
  await db.prisma.changeReader.deleteMany({ where: { readAt: { lt: before } } });
}
