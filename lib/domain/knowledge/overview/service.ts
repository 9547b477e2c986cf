import { together } from "#lib/core/together.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { resolveExisting } from "#lib/domain/records/entities/service.ts";
import { findLabels, knownName } from "#lib/domain/records/names/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  countAdvances,
  countByDay,
  countByStage,
  countHappened,
  countNewPeople,
  countTrends,
  findSourceDays,
} from "./queries.ts";
import { daysUntil, isSilent, kindOf } from "./rules.ts";

export const getOverview = implement(contract.getOverview, async (ctx) => ladderOf(await countByStage(ctx.db)));

export const getCompanyStages = implement(contract.getCompanyStages, async (ctx, { id }) =>
  ladderOf(await countByStage(ctx.db, (await resolveExisting(ctx, id)).id)),
);

/** The counted people at every stage. */
function ladderOf(counted: readonly { stage: string; people: number }[]) {
  const counts = new Map(counted.map(({ stage, people }) => [stage, people]));
  const stages = Stage.options.map((stage) => ({ stage, people: counts.get(stage) ?? 0 }));
  return { stages, people: stages.reduce((sum, { people }) => sum + people, 0) };
}

const WEEK_MS = 7 * DAY_MS;
export const getWeek = implement(contract.getWeek, async ({ db }) => {
  const now = Date.now();
  const spans = [new Date(now - 2 * WEEK_MS), new Date(now - WEEK_MS), new Date(now)] as const;
  const [new_people, replied, meetings_held, moved_forward] = await together([
    countNewPeople(db, spans),
    countHappened(db, spans, "interaction.email_received"),
    countHappened(db, spans, "interaction.meeting_held"),
    countAdvances(db, spans, Stage.options),
  ]);
  return { new_people, replies: replied, meetings_held, moved_forward };
});

export const getActivity = implement(contract.getActivity, async (ctx, { zone }) => {
  const now = new Date();
  const begun = daysUntil(now, zone, contract.CHART_DAYS);
  const rows = await countByDay(
    ctx.db,
    begun.map(({ start }) => start),
    now,
  );
  const days = begun.map(({ day }) => ({ day, counts: noneOf() }));
  for (const { day, property, events } of rows) {
    const counted = days[day - 1];
    if (counted) counted.counts[kindOf(property)] += events;
  }
  return { days, total: rows.reduce((sum, { events }) => sum + events, 0) };
});

/** So far back sources are looked at for how often they report. */
const RHYTHM_MS = 60 * DAY_MS;

/** Sources that reported events regularly and stopped, other than people in the app. Reads every event of 60 days: for jobs. */
export async function silentSources({ db }: Pick<Ctx, "db">, now: Date): Promise<{ source: string; lastAt: Date }[]> {
  const sources = await findSourceDays(db, new Date(now.getTime() - RHYTHM_MS), now);
  return sources.filter((each) => each.source !== "manual" && isSilent(each, now));
}

const noneOf = () =>
  Object.fromEntries(contract.ActivityKind.options.map((kind) => [kind, 0])) as Record<contract.ActivityKind, number>;

export const getTrends = implement(contract.getTrends, async (ctx, { ids }) => {
  const now = Date.now();
  const starts = Array.from(
    { length: contract.TREND_WEEKS },
    (_, week) => new Date(now - (contract.TREND_WEEKS - week) * WEEK_MS),
  );
  const trends = new Map<string, number[]>();
  for (const { id, week, events } of await countTrends(ctx.db, ids, starts, new Date(now))) {
    const weeks = trends.get(id) ?? new Array<number>(contract.TREND_WEEKS).fill(0);
    if (week !== null) weeks[week - 1] = (weeks[week - 1] ?? 0) + events;
    trends.set(id, weeks);
  }
  return { trends: [...trends].map(([id, weeks]) => ({ id, weeks })) };
});

export const getNames = implement(contract.getNames, async (ctx, { ids }) => {
  const labels = [...(await findLabels(ctx.db, ids)).values()];
  // One that was merged into another has no name of its own.
  return {
    names: labels.flatMap(({ id, type, ...label }) => {
      const name = knownName(label);
      return name === null || type === "workspace" ? [] : [{ id, type, name }];
    }),
  };
});
