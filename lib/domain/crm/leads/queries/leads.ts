import type { AnyOf } from "#lib/core/any-of.ts";
import type { Db } from "#lib/db/handle.ts";
import { type Condition, countRows, type ListRequest, listRows } from "#lib/db/listing.ts";
import { sql } from "#lib/db/statement.ts";
import type { LeadStatus, ReplyOutcome } from "#lib/domain/crm/recording/contract.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** A lead's JSON, ready in the row. */
const LEAD = "p.wire";

/**
 * `column`: an index by creation begins with it, after the list. `list`: all indexes by creation and score do. `score`: a
 * part of the indexes by score.
 */
export type LeadCondition = Condition & { index?: "list" | "column" | "shown" | "score" };

type LeadSort = "created" | "score";

const is = (text: string, ...values: unknown[]): LeadCondition => ({ text, values });
/** Whether to walk the list or to look the value up depends on how rare it is. */
const rare = (condition: LeadCondition): LeadCondition => ({ ...condition, rare: true, probe: condition });

/** By score, a range of scores is a part of the walk. */
const scored = (condition: LeadCondition, sort: LeadSort): LeadCondition =>
  sort === "score" ? { ...condition, index: "score" } : rare(condition);

/** The `sent_week` of leads that were never sent to. */
const NEVER = "'0001-01-01T00:00:00Z'::timestamptz";

/**
 * A range of moments of the last send: leads_sent_idx. By creation, where those that it means come late and are many, a page is
 * merged from the weeks that there are in the range: leads_sent_week_idx, from one to the next.
 */
function inWeeks(moments: LeadCondition, weeks: LeadCondition): LeadCondition {
  const next = (more: string) =>
    `SELECT p.sent_week FROM leads p WHERE p.workspace_id = $workspace AND ${more} ORDER BY p.sent_week LIMIT 1`;
  const text = `(WITH RECURSIVE weeks AS (
      (${next(weeks.text)}) UNION ALL SELECT next.sent_week FROM weeks CROSS JOIN LATERAL (${next(`p.sent_week > weeks.sent_week AND ${weeks.text}`)}) AS next
    ) SELECT sent_week FROM weeks)`;
  const one: LeadCondition = {
    ...is(`p.sent_week = arm.value AND ${moments.text}`, ...moments.values),
    index: "column",
  };
  return { ...rare(moments), arms: { one, of: is(text, ...weeks.values, ...weeks.values), many: null } };
}

/** Conditions of the list; the indexes they rely on are described at leads. */
export const where = {
  shown: { ...is("NOT p.hidden"), index: "shown", usual: true } as LeadCondition,
  list: (id: string): LeadCondition => ({ ...is("p.list_id = ?::uuid", id), index: "list" }),
  entity: (id: string) => is("p.entity_id = ?::uuid", id),
  /** By score no index begins with it. */
  statuses: (statuses: readonly LeadStatus[], sort: LeadSort): LeadCondition => {
    const [only] = statuses;
    if (only !== undefined && statuses.length === 1) {
      const one = is("p.status = ?::lead_status", only);
      return sort === "score" ? rare(one) : { ...one, index: "column" };
    }
    const all = rare(is("p.status = ANY(?::text[]::lead_status[])", statuses));
    if (sort === "score" || statuses.length === 0) return all;
    const one: LeadCondition = { ...is("p.status = arm.value"), index: "column" };
    return { ...all, arms: { one, of: is("unnest(?::text[]::lead_status[])", statuses), many: statuses.length } };
  },
  outcome: (filter: AnyOf<ReplyOutcome>) => {
    if (filter.is === "exists") return rare(is(`p.reply_outcome IS ${filter.exists ? "NOT NULL" : "NULL"}`));
    if (filter.is === "any") return rare(is("p.reply_outcome = ANY(?::text[]::reply_outcome[])", filter.values));
    return rare(is("(p.reply_outcome <> ALL(?::text[]::reply_outcome[])) IS NOT FALSE", filter.values));
  },
  hasEmail: (has: boolean) => rare(is(`p.email IS ${has ? "NOT NULL" : "NULL"}`)),
  sentSince: (time: Date) =>
    inWeeks(is("p.sent_at >= ?", time), is("p.sent_week > ?", new Date(time.getTime() - 7 * DAY_MS))),
  /** `sent`: of leads with the status `sent`, none of which was never sent to. */
  notSentSince: (time: Date, sent: boolean) =>
    inWeeks(
      is("(p.sent_at < ? OR p.sent_at IS NULL)", time),
      is(`p.sent_week < ?${sent ? ` AND p.sent_week > ${NEVER}` : ""}`, time),
    ),
  scoreAtLeast: (score: number, sort: LeadSort) => scored(is("p.score >= ?", score), sort),
  scoreAtMost: (score: number, sort: LeadSort) => scored(is("p.score <= ?", score), sort),
} as const;

/** A walk along leads_created_idx, leads_score_idx or one that begins with the list or the status. */
const isWalk = ({ conditions, sort }: ListRequest<LeadCondition>): boolean =>
  conditions.every(
    ({ index }) =>
      index === "shown" ||
      index === "list" ||
      (index === "column" && sort.column === "created_at") ||
      (index === "score" && sort.column === "score"),
  );

const listed = { table: "leads", row: LEAD, isWalk, keysFirst: true } as const;

/** A page of leads, each as its JSON. */
export const listLeadRows = (db: Db, request: ListRequest<LeadCondition>): Promise<string[]> =>
  listRows(db, listed, request);

/** How many leads there are, counted up to a limit. */
export const countListedLeads = (
  db: Db,
  request: Pick<ListRequest<LeadCondition>, "conditions" | "sort">,
  most: number,
): Promise<number> => countRows(db, listed, request, most);

// leads_pkey
const byId = sql(
  "lead",
  `SELECT ${LEAD} AS row FROM leads p WHERE p.workspace_id = $workspace AND p.id = $1 AND NOT p.hidden`,
);

/** A lead's JSON; null when there is none. */
export const findLeadJson = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ row: string }>(byId, [id]))[0]?.row ?? null;
