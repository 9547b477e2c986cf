import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { pageOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { findModel } from "#lib/domain/crm/scores/service.ts";
import { labelOf, typeOf } from "#lib/domain/crm/timeline/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { resolveForRead } from "#lib/domain/knowledge/contacts/service.ts";
import { evidenceIds } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { clip } from "#lib/text/clip.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  type Condition,
  EXAMINED,
  findEntities,
  findHaving,
  findMatchedIds,
  findObservations,
  type PageRequest,
  type Question,
  type Totals,
} from "./queries.ts";
import { foundBy, prefixRange, propertyMeant, SCORE, type Span, spanOf, termsOf } from "./rules.ts";

/** Until which seq the first page looked, the seq of the last item, and when the first page was asked for. */
const cursors = sealedCursorsOf(contract.queryObservations.name, z.tuple([z.int(), z.int(), z.int()]));

export const queryObservations = implement(contract.queryObservations, async (ctx, input) => {
  const [until, after, since] = input.cursor === undefined ? [null, null, null] : cursors.decode(ctx, input.cursor);
  const now = since === null ? new Date() : new Date(since);
  const terms = input.question === undefined ? [] : termsOf(input.question);
  await requireObserved(ctx, "scope", input.scope.property);
  await requireObserved(ctx, "without", input.without?.property);
  const asked: Question = {
    scope: conditionOf(input.scope, "scope", now),
    entityIds: await whoseIds(ctx, input.scope.entity_id),
    terms,
    leftOut: [],
    until,
  };
  const without = input.without && conditionOf(input.without, "without", now);
  const question = without ? { ...asked, leftOut: await leftOutBy(ctx, asked, without) } : asked;
  const { limit } = input.scope;
  const page = { limit: limit + 1, after };
  const { matched, totals, matches }: Answer =
    input.return === "entities" ? await askEntities(ctx, question, page) : await askObservations(ctx, question, page);
  const placeOf = ({ seq }: { seq: string }): [number, number, number] => [
    until ?? Number(totals?.latest),
    Number(seq),
    now.getTime(),
  ];
  const { shown, next } = pageOf(ctx, cursors, { rows: matches, limit }, placeOf);
  const items = shown.map(({ item }) => item) as z.output<typeof contract.queryObservations.output>["items"];
  const byValue = totals?.byValue;
  return {
    matched,
    returned: items.length,
    sampled: (totals?.examined ?? 0) >= EXAMINED,
    ...next,
    return: input.return,
    items,
    rollups: {
      by_type: ranked(totals?.byType),
      by_source: ranked(totals?.bySource),
      ...(byValue ? { by_value: ranked(byValue) } : {}),
    },
    meta: { examined: totals?.examined ?? 0, terms },
  };
});

type Item = z.output<typeof contract.queryObservations.output>["items"][number];
/** What was found, with the seq by which it is placed. */
type Answer = { matched: number; totals: Totals | undefined; matches: { seq: string; item: Item }[] };

async function askObservations(ctx: Ctx, question: Question, page: PageRequest) {
  const rows = await findObservations(ctx.db, question, page);
  const matches = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
  const labels = await findLabels(
    ctx.db,
    matches.map((row) => row.ownerId),
  );
  const itemOf = (row: (typeof matches)[number]) => ({
    id: row.id,
    entity_id: row.ownerId,
    entity_name: nameOf(labels.get(row.ownerId) ?? {}),
    kind: row.kind,
    type: typeOf(row.property),
    property: row.property,
    value: row.value as string,
    summary: summaryOf(row.value),
    source: row.source,
    when: formatTime(row.observedAt),
    recorded_at: formatTime(row.recordedAt),
    ...(row.causedBy ? { caused_by: row.causedBy } : {}),
  });
  return {
    matched: rows[0]?.observations ?? 0,
    totals: rows[0] as Totals | undefined,
    matches: matches.map((row) => ({ seq: row.seq, item: itemOf(row) })),
  };
}

async function askEntities(ctx: Ctx, question: Question, page: PageRequest) {
  const rows = await findEntities(ctx.db, question, page);
  const matches = rows.flatMap((row) => (row.ownerId === null ? [] : [{ ...row, ownerId: row.ownerId }]));
  const labels = await findLabels(
    ctx.db,
    matches.map((row) => row.ownerId),
  );
  const itemOf = (row: (typeof matches)[number]) => ({
    entity_id: row.ownerId,
    entity_name: nameOf(labels.get(row.ownerId) ?? {}),
    type: labels.get(row.ownerId)?.type ?? ("person" as const),
    matches: row.count,
    most_recent_at: formatTime(row.lastObservedAt),
    most_recent_value: row.lastValue as string,
    most_recent_summary: summaryOf(row.lastValue),
  });
  return {
    matched: rows[0]?.entities ?? 0,
    totals: rows[0] as Totals | undefined,
    matches: matches.map((row) => ({ seq: row.seq, item: itemOf(row) })),
  };
}

/** What an observation says, as one line of text; null when its value has no text. */
function summaryOf(value: unknown): string | null {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : labelOf(value);
  return text && clip(text, LONGEST_SUMMARY);
}

const LONGEST_SUMMARY = 300;

type Conditions = {
  kind?: "event" | "state" | undefined;
  property?: string | undefined;
  source?: string | undefined;
} & Span;

function conditionOf(input: Conditions, field: string, now: Date): Condition {
  const span = spanOf(input, now);
  if (input.from && input.to && input.from >= input.to)
    throw new Fault("invalid_parameter", { parameter: `${field}.to` }, `${field}.to must be later than ${field}.from.`);
  return {
    kind: input.kind ?? null,
    source: input.source ?? null,
    ...prefixRange(input.property && propertyMeant(input.property)),
    ...span,
  };
}

/** Throws 400 with the list to filter instead when nothing is observed under the property. */
async function requireObserved(ctx: Ctx, field: string, property: string | undefined): Promise<void> {
  const instead = property === undefined ? null : foundBy(property);
  // A score is observed only while no model computes it.
  if (instead === null || (property === SCORE && !(await findModel(ctx.db)))) return;
  const message = `${field}.property: ${property} is ${property === SCORE ? "computed by the scoring model" : "not observed"}. ${instead}`;
  throw new Fault("invalid_parameter", { parameter: `${field}.property` }, message);
}

/** Which of the matching entities have an observation like `without`. */
async function leftOutBy(ctx: Ctx, question: Question, without: Condition): Promise<string[]> {
  const ids = await findMatchedIds(ctx.db, question);
  return ids.length > 0 ? findHaving(ctx.db, ids, without) : [];
}

/** The entity's id and those merged into it; throws 404 `entity_not_found`. */
async function whoseIds(ctx: Ctx, id: string | undefined): Promise<string[] | null> {
  if (id === undefined) return null;
  const { entity, ambiguous } = await resolveForRead(ctx, id);
  if (entity) return evidenceIds(entity);
  const { candidates, more } = ambiguous;
  const extras = { parameter: "scope.entity_id", candidates, ...(more ? { more } : {}) };
  throw new Fault("invalid_parameter", extras, "scope.entity_id: several have that name; give the id of one.");
}

/** The most frequent first; the database's objects have no order. */
const ranked = (counts: Record<string, number> | null | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(counts ?? {}).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
