import { z } from "zod";
import { chosenOf } from "#lib/core/any-of.ts";
import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json.ts";
import { MOST_COUNTED, totalOf } from "#lib/core/page-input.ts";
import { cursorsOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import type { Position, Sort } from "#lib/db/listing.ts";
import { type LeadStatus, leadStatuses } from "#lib/domain/crm/recording/contract.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { countListedLeads, findLeadJson, type LeadCondition, listLeadRows, where } from "../queries/leads.ts";
import { findList } from "../queries/lists.ts";
import { requireList } from "./lists.ts";

type Filters = z.output<typeof contract.listLeads.input>;

const created = { column: "created_at", type: "timestamptz", nullable: false } as const;
const sorts: Readonly<Record<Filters["sort"], Sort>> = {
  created_desc: { ...created, descending: true },
  created_asc: { ...created, descending: false },
  score_desc: { column: "score", type: "float8", nullable: true, descending: true },
};

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** The condition for a filter; none when the filter is not given. */
const conditionIf = <T>(value: T | undefined, condition: (value: T) => LeadCondition): LeadCondition[] =>
  value === undefined ? [] : [condition(value)];

const conditionsOf = (input: Filters): LeadCondition[] => {
  const sort = input.sort === "score_desc" ? "score" : "created";
  const status = (values: readonly LeadStatus[]) => where.statuses(values, sort);
  const statuses = input.status && chosenOf(input.status, leadStatuses);
  const areSent = statuses?.length === 1 && statuses[0] === "sent";
  return [
    where.shown,
    ...conditionIf(input.list_id, where.list),
    ...conditionIf(input.entity_id, where.entity),
    ...conditionIf(statuses, status),
    ...conditionIf(input.reply_outcome, where.outcome),
    // `replied_at` is set exactly when the status is `replied`.
    ...conditionIf(input.has_replied, (has) => status(leadStatuses.filter((each) => (each === "replied") === has))),
    ...conditionIf(input.has_email, where.hasEmail),
    ...conditionIf(input.sent_within, (days) => where.sentSince(ago(days))),
    ...conditionIf(input.sent_before, (days) => where.notSentSince(ago(days), areSent)),
    ...conditionIf(input.score_gte, (score) => where.scoreAtLeast(score, sort)),
    ...conditionIf(input.score_lte, (score) => where.scoreAtMost(score, sort)),
  ];
};

/** The sort a cursor was made for, and the last row's place in it. */
const Place = z.union([
  z.tuple([z.literal("score_desc"), z.number().nullable(), Id]),
  z.tuple([z.enum(["created_desc", "created_asc"]), Timestamp, Id]),
]);
const places = cursorsOf(contract.listLeads.name, Place);

/** Where the page begins; null: with the first row. */
function placeOf(ctx: Ctx, { cursor, offset, sort }: Filters): Position | null {
  if (cursor === undefined) return null;
  if (offset > 0)
    throw new Fault("invalid_parameter", { parameter: "offset" }, "offset: give either cursor or offset.");
  const [madeFor, value, id] = places.decode(ctx, cursor);
  if (madeFor !== sort)
    throw new Fault("invalid_parameter", { parameter: "cursor" }, `cursor was returned for the sort ${madeFor}.`);
  return { value, id };
}

/** What is read for a page. */
const requestFor = (ctx: Ctx, input: Filters) => ({
  conditions: conditionsOf(input),
  sort: sorts[input.sort],
  limit: input.limit,
  offset: input.offset,
  after: placeOf(ctx, input),
});

export const listLeads = implement(contract.listLeads, async (ctx, input) => {
  const { limit, offset, sort } = input;
  const request = requestFor(ctx, input);
  const rows = await listLeadRows(ctx.db, request);
  if (rows.length === 0 && input.list_id !== undefined) requireList(await findList(ctx.db, input.list_id));
  const shown = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const last = has_more ? (JSON.parse(shown.at(-1) as string) as contract.Lead) : null;
  const value = last && (sort === "score_desc" ? last.scorecard_score : last.created_at);
  const next_cursor = last && places.encode(ctx, [sort, value, last.id] as z.output<typeof Place>);
  const count = input.include === "count" ? await countListedLeads(ctx.db, request, MOST_COUNTED + 1) : null;
  const total = count === null ? {} : { total: totalOf(count) };
  const rest = JSON.stringify({ limit, offset, has_more, next_cursor, ...total });
  return new JsonText<z.output<typeof contract.listLeads.output>>(`{"leads":[${shown.join(",")}],${rest.slice(1)}`);
});

/** A lead as the API gives it; throws 404 when there is none. */
export async function leadOf(ctx: Ctx, id: string): Promise<contract.Lead> {
  const json = await findLeadJson(ctx.db, id);
  if (json === null) throw new Fault("lead_not_found");
  return JSON.parse(json) as contract.Lead;
}

export const getLead = implement(contract.getLead, async (ctx, { id }) => ({ lead: await leadOf(ctx, id) }));
