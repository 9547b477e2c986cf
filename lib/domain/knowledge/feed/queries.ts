import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { EVENT_COLUMNS, type EventRow } from "#lib/domain/crm/timeline/service.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";

/** An event of any contact, without their name. */
export type FeedRow = Omit<EventRow, "firstName" | "lastName" | "email">;

const page = (from: string) => `
  SELECT ${EVENT_COLUMNS},
    coalesce(e.merged_into, e.id) AS "entityId"
  FROM (${from}) AS o JOIN entities e ON e.workspace_id = $workspace AND e.id = o.entity_id ORDER BY o.seq DESC`;

// observations_learned_idx; entities_pkey
const every = sql(
  "feed_page",
  page(
    `SELECT * FROM observations h WHERE workspace_id = $workspace AND kind = 'event' AND seq < $1 AND ${notRetired("h.id")} ORDER BY seq DESC LIMIT $2`,
  ),
);

// observations_feed_idx once for each property, a page of each; entities_pkey
const some = sql(
  "feed_page_of_properties",
  page(
    `SELECT found.* FROM unnest($3::text[]) AS wanted(property) CROSS JOIN LATERAL (
       SELECT * FROM observations h WHERE workspace_id = $workspace AND kind = 'event' AND property = wanted.property AND seq < $1 AND ${notRetired("h.id")} ORDER BY seq DESC LIMIT $2
     ) AS found ORDER BY found.seq DESC LIMIT $2`,
  ),
);

/** Events learned before the one numbered `before`, the latest first; of these properties only, when given. */
export const findFeed = (db: Db, before: number, limit: number, properties: readonly string[] | null) =>
  properties ? db.query<FeedRow>(some, [before, limit, properties]) : db.query<FeedRow>(every, [before, limit]);

/** Events that a page with filters is searched among. */
export const MOST_SEARCHED = 20_000;

// observations_happened_idx, read alone
const EARLIER = `SELECT h.observed_at, h.seq, h.property, h.source FROM observations h
     WHERE h.workspace_id = $workspace AND h.kind = 'event' AND (h.observed_at, h.seq) < ($1::timestamptz, $2::bigint)
       AND h.observed_at >= $3::timestamptz ORDER BY h.observed_at DESC, h.seq DESC`;

// observations_happened_idx, read alone until a page is full; observations_learned_idx and entities_pkey for its rows. OFFSET 0:
// the planner would otherwise read all entities.
const happened = sql(
  "feed_happened",
  `SELECT ${EVENT_COLUMNS}, e.id AS "entityId" FROM (
     SELECT f.* FROM (${EARLIER} LIMIT ${MOST_SEARCHED}) AS m
     CROSS JOIN LATERAL (SELECT * FROM observations l WHERE l.workspace_id = $workspace AND l.seq = m.seq OFFSET 0) AS f
     WHERE ($4::text[] IS NULL OR m.property = ANY($4)) AND ($5::text IS NULL OR m.source = $5) AND ${notRetired("f.id")}
     ORDER BY m.observed_at DESC, m.seq DESC LIMIT $6
   ) AS o CROSS JOIN LATERAL (
     SELECT coalesce(n.merged_into, n.id) AS id FROM entities n WHERE n.workspace_id = $workspace AND n.id = o.entity_id OFFSET 0
   ) AS e ORDER BY o.observed_at DESC, o.seq DESC`,
);

// observations_happened_idx, read alone
const horizon = sql("feed_horizon", `${EARLIER} OFFSET ${MOST_SEARCHED - 1} LIMIT 1`);

/** Where a search goes on: before an event, and not before a time. */
export type Stretch = { before: { at: Date | "infinity"; seq: number }; since: Date | "-infinity" };

const placesOf = ({ before, since }: Stretch) => [before.at, before.seq, since];

/** Events by when they happened, the latest first; of these properties and this source only, when given. */
export const findHappened = (
  db: Db,
  stretch: Stretch,
  { properties, source, limit }: { properties: readonly string[] | null; source: string | null; limit: number },
) => db.query<FeedRow>(happened, [...placesOf(stretch), properties, source, limit]);

/** The last event that `findHappened` looks at; null when it comes to the end. */
export const findHorizon = async (db: Db, stretch: Stretch): Promise<{ at: Date; seq: number } | null> => {
  const [row] = await db.query<{ observed_at: Date; seq: number }>(horizon, placesOf(stretch));
  return row ? { at: row.observed_at, seq: row.seq } : null;
};

// observations_learned_idx
const latest = sql(
  "feed_latest",
  `SELECT coalesce((SELECT seq FROM observations WHERE workspace_id = $workspace ORDER BY seq DESC LIMIT 1), 0) AS seq,
     rapport_settled() AS settled`,
);

/** The number of what was learned last, 0 in an empty workspace, and the oldest transaction that may still commit. */
export async function findLatest(db: Db): Promise<{ seq: number; settled: number }> {
  const [row] = await db.query<{ seq: number; settled: number }>(latest, []);
  if (!row) throw new Error("the database did not say what was learned last");
  return row;
}

// observations_learned_idx; entities_pkey
const touched = sql(
  "feed_touched",
  `SELECT DISTINCT coalesce(e.merged_into, e.id) AS id FROM (
     SELECT entity_id FROM observations WHERE workspace_id = $workspace AND seq > $1 AND seq <= $1 + $4 AND (seq > $2 OR written_in >= $3::bigint)
   ) AS o JOIN entities e ON e.workspace_id = $workspace AND e.id = o.entity_id`,
);

/**
 * The entities something was learned about after `seq`; and, among numbers above `from`, by a transaction from `settled` on.
 * Only the `limit` numbers after `from` are looked at: a range at both ends is read by its own index.
 */
export const findTouched = async (
  db: Db,
  { from, seq, settled, limit }: Record<"from" | "seq" | "settled" | "limit", number>,
): Promise<string[]> => (await db.query<{ id: string }>(touched, [from, seq, settled, limit])).map(({ id }) => id);
