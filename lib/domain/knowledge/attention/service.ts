import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { dueTasks } from "#lib/domain/crm/tasks/service.ts";
import { calledOffBy, labelOf, markSuperseded } from "#lib/domain/crm/timeline/service.ts";
import { hiddenNames, ofVisible } from "#lib/domain/hidden-fields.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { meetingTitles, unsharedMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { findLabels, findNamesIn, nameOf } from "#lib/domain/records/names/service.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  findCancelled,
  findCompanies,
  findDark,
  findDecayed,
  findDisputes,
  findHidden,
  findMeetings,
  findOfOneSource,
  hideItems,
  MOST_CLAIMS,
  showItems,
} from "./queries.ts";
import {
  conflictItem,
  darkItem,
  decayItem,
  engaged,
  HORIZON,
  meetingItem,
  mostUrgent,
  type RankedItem,
  taskItem,
  untold,
} from "./rules.ts";

export const listAttention = implement(contract.listAttention, async (ctx, { limit, kinds = contract.kinds }) => {
  const now = new Date();
  const [hidden, meetings, tasks, disputes, ...ofStages] = await together([
    ctx.actor.type === "user" ? findHidden(ctx.db, ctx.actor.id, now) : none,
    readMeetings(ctx, now),
    readTasks(ctx, now),
    findDisputes(ctx.db),
    ...engaged.flatMap((stage) => [readDark(ctx, stage, now), readDecayed(ctx, stage, now)]),
  ]);
  const names = await findNamesIn(
    ctx.db,
    disputes.flatMap(({ property, value, conflicts }) =>
      property === "works_at" ? [value, ...conflicts.map((conflict) => conflict.value)] : [],
    ),
  );
  const conflicts = (ctx.limits ? ofVisible(ctx.limits, disputes) : disputes).map((row) =>
    conflictItem(
      {
        ...row,
        name: nameOf(row),
        ...(row.property === "works_at" ? { names } : {}),
        others: row.conflicts.map(({ value, observed_at }) => ({ value, at: new Date(observed_at) })),
      },
      now,
    ),
  );
  const all = [...meetings, ...tasks, ...conflicts, ...ofStages.flat()];
  const urgent = mostUrgent(
    all.filter(({ item }) => kinds.includes(item.kind)),
    limit,
    hidden,
  );
  const companies =
    urgent.length > 0
      ? await findCompanies(
          ctx.db,
          urgent.map(({ entity_id }) => entity_id),
        )
      : null;
  const items = urgent.map((item) => ({ ...item, company: companies?.get(item.entity_id) ?? null }));
  const count = (kind: contract.AttentionItem["kind"]) => items.filter((item) => item.kind === kind).length;
  const by_kind = Object.fromEntries(contract.kinds.map((kind) => [kind, count(kind)])) as Record<
    contract.AttentionItem["kind"],
    number
  >;
  return { items, meta: { limit, by_kind, as_of: formatTime(now) } };
});

const none: ReadonlySet<string> = new Set();

export const hideAttention = implement(
  contract.hideAttention,
  async (ctx, { items, days }) => {
    const labels = await findLabels(
      ctx.db,
      items.map(({ entity_id }) => entity_id),
    );
    if (items.some(({ entity_id }) => !labels.has(entity_id))) throw new Fault("entity_not_found");
    const at = new Date();
    const until = days === undefined ? null : new Date(at.getTime() + days * DAY_MS);
    const once = [...new Map(items.map((item) => [item.id, item])).values()];
    await hideItems(ctx.db, { userId: ctx.actor.id, items: once, until, at });
    return { hidden: once.length };
  },
  { transaction: "writing" },
);

export const showAttention = implement(
  contract.showAttention,
  async (ctx, { ids }) => ({
    shown: await showItems(ctx.db, ctx.actor.id, ids),
  }),
  { transaction: "writing" },
);

const before = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Upcoming meetings, without those rescheduled or called off; the caller's own that they share with no one too. */
async function readMeetings(ctx: Ctx, now: Date): Promise<RankedItem[]> {
  const until = before(now, -HORIZON.meeting);
  const [booked, own] = await together([
    findMeetings(ctx.db, now, until),
    unsharedMeetings(ctx, { from: now, to: until }),
  ]);
  const rows = (await markSuperseded(ctx, booked)).filter(({ supersededBy }) => supersededBy === null);
  if (rows.length + own.length === 0) return [];
  const ids = [...new Set([...rows, ...own].map(({ entityId }) => entityId))];
  const [called, labels, titles] = await together([
    findCancelled(ctx.db, ids),
    findLabels(ctx.db, ids),
    meetingTitles(ctx, rows.flatMap(meetingIn)),
  ]);
  const isOff = calledOffBy(called);
  const titleOf = (row: (typeof rows)[number]) => meetingIn(row).flatMap((id) => titles.get(id) ?? [])[0] ?? null;
  return [
    ...rows
      .filter((row) => !isOff(row))
      .map((row) => ({ entityId: row.entityId, at: row.at, label: labelOf(row.value) ?? titleOf(row) })),
    ...own.map(({ entityId, at, title }) => ({ entityId, at, label: title })),
  ].flatMap((meeting) => {
    const label = labels.get(meeting.entityId);
    return label?.status === "active" ? meetingItem({ ...meeting, name: nameOf(label) }, now) : [];
  });
}

/** The calendars' meeting that an activity tells, if it does. */
function meetingIn({ value }: { value: unknown }): string[] {
  const { metadata } = Object(value) as { metadata?: unknown };
  const { meeting_id: id } = Object(metadata) as { meeting_id?: unknown };
  return typeof id === "string" && isUuid(id) ? [id] : [];
}

/** What is due by the end of today, in UTC. */
async function readTasks(ctx: Ctx, now: Date): Promise<RankedItem[]> {
  const tasks = await dueTasks(ctx, new Date(Date.parse(now.toISOString().slice(0, 10)) + DAY_MS));
  const labels = await findLabels(
    ctx.db,
    tasks.map(({ entityId }) => entityId ?? ctx.workspaceId),
  );
  return tasks.map(({ entityId, ...task }) => {
    const about = entityId ?? ctx.workspaceId;
    return taskItem({ ...task, entityId: about, name: nameOf(labels.get(about) ?? {}) }, now);
  });
}

async function readDark(ctx: Ctx, stage: (typeof engaged)[number], now: Date): Promise<RankedItem[]> {
  const span = [before(now, HORIZON.darkAfter), before(now, HORIZON.darkUntil)] as const;
  const rows = await findDark(ctx.db, stage, ...span);
  return rows.map((row) => darkItem({ ...row, name: nameOf(row) }, now));
}

async function readDecayed(ctx: Ctx, stage: (typeof engaged)[number], now: Date): Promise<RankedItem[]> {
  const rows = await findAged(ctx, stage, now);
  return rows.map((row) => decayItem({ ...row, name: nameOf(row) }, now));
}

const findAged = ({ db, limits }: Seeing, stage: (typeof engaged)[number], now: Date) =>
  findDecayed(db, stage, before(now, HORIZON.decayedAfter), untoldTo(limits));

/** Who reads: what is hidden from them is not counted either. */
type Seeing = Pick<Ctx, "db" | "limits">;

const untoldTo = (limits: Ctx["limits"]): string[] => [...untold, ...hiddenNames(limits)];

/** What is believed of people at an engaged stage, those most recently active; `capped`: there is more. */
type ClaimsOfActive = { claims: { entityId: string; name: string; property: string }[]; capped: boolean };

function ofActive(stages: readonly Awaited<ReturnType<typeof findOfOneSource>>[]): ClaimsOfActive {
  const claims = stages.flat().map((row) => ({ entityId: row.entityId, name: nameOf(row), property: row.property }));
  return { claims, capped: stages.some(({ length }) => length === MOST_CLAIMS) };
}

/** Those that no one confirmed for long. */
export const agedOfActive = async (ctx: Seeing, now: Date): Promise<ClaimsOfActive> =>
  ofActive(await together(engaged.map((stage) => findAged(ctx, stage, now))));

/** Those that one source alone says, and no person. */
export const ofOneSourceOfActive = async ({ db, limits }: Seeing): Promise<ClaimsOfActive> =>
  ofActive(await together(engaged.map((stage) => findOfOneSource(db, stage, untoldTo(limits)))));
