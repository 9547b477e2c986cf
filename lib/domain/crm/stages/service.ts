import { nameOfActor } from "#lib/core/context.ts";
import { together } from "#lib/core/together.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { findStages } from "#lib/domain/crm/people/service.ts";
import {
  eventIn,
  findOwnRules,
  holdStanding,
  isHigher,
  readStageRules,
  record,
  STAGE,
  type StageRules,
  stageAfter,
  standardRules,
} from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { activityOf, propertyOfActivity } from "#lib/domain/records/evidence/contract.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { type ActivityHistory, countActive, findHappened, removeOwnRules, saveOwnRules } from "./queries.ts";

/** The source of a stage that moved because the rules changed. */
const SOURCE = "stage_rules";

const tableOf = ({ rules, max_age_days }: StageRules): contract.StageTable => ({ rules: [...rules], max_age_days });

async function readSettings(ctx: Ctx): Promise<contract.StageSettings> {
  const own = await findOwnRules(ctx.db);
  return {
    ...tableOf(own ? { rules: own.rules, max_age_days: own.maxAgeDays } : standardRules),
    customised: own !== null,
    updated_at: own ? formatTime(own.updatedAt) : null,
    standard: tableOf(standardRules),
  };
}

export const getStageRules = implement(contract.getStageRules, readSettings);

export const previewStageRules = implement(contract.previewStageRules, async (ctx, table) => {
  const { movers, examined, sampled } = await findMovers(ctx, table);
  const by_stage = Stage.options
    .map((stage) => ({ stage, people: movers.filter(({ to }) => to === stage).length }))
    .filter(({ people }) => people > 0);
  const moves = Stage.options
    .flatMap((from) => Stage.options.map((to) => ({ from, to, people: countOf(movers, from, to) })))
    .filter(({ people }) => people > 0);
  const people = movers.slice(0, contract.MOST_SHOWN).map(({ happened, to }) => ({
    entity_id: happened.entityId,
    name: nameOf(happened),
    from: happened.stage,
    to,
    because: {
      activity_id: happened.activityId,
      type: activityOf(happened.property) ?? happened.property,
      occurred_at: formatTime(happened.observedAt),
    },
  }));
  return { would_move: movers.length, by_stage, moves, people, examined, sampled };
});

export const saveStageRules = implement(contract.saveStageRules, async (ctx, { move_people, ...table }) => {
  const before = await readStageRules(ctx);
  await saveOwnRules(ctx.db, table.rules, table.max_age_days, nameOfActor(ctx));
  const { moved, remaining } = move_people ? await movePeople(ctx, table) : { moved: 0, remaining: 0 };
  await recordAudit(ctx, "stage_rules.changed", null, { from: tableOf(before), to: table, moved });
  return { ...(await readSettings(ctx)), moved, remaining };
});

export const resetStageRules = implement(contract.resetStageRules, async (ctx) => {
  const before = await findOwnRules(ctx.db);
  await removeOwnRules(ctx.db);
  if (before)
    await recordAudit(ctx, "stage_rules.reset", null, {
      from: { rules: before.rules, max_age_days: before.maxAgeDays },
    });
  return readSettings(ctx);
});

const countOf = (movers: readonly Mover[], from: Mover["to"], to: Mover["to"]): number =>
  movers.filter((mover) => mover.happened.stage === from && mover.to === to).length;

type Mover = { happened: ActivityHistory; to: Stage };

/** The people these rules would move for what happened within their days, the highest stage first. */
async function findMovers(
  ctx: Ctx,
  table: StageRules,
): Promise<{ movers: Mover[]; examined: number; sampled: boolean }> {
  const since = new Date(Date.now() - table.max_age_days * DAY_MS);
  const properties = [...new Set(table.rules.map(({ type }) => propertyOfActivity(type)))];
  const [active, rows] = await together([
    countActive(ctx.db, since, contract.MOST_EXAMINED + 1),
    findHappened(ctx.db, since, contract.MOST_EXAMINED, properties),
  ]);
  const highest = new Map<string, Mover>();
  for (const happened of rows) {
    const { entityId, stage, property, value, observedAt: occurredAt, recordedAt } = happened;
    const from = highest.get(entityId)?.to ?? stage;
    const type = activityOf(property) as string;
    const to = stageAfter(table, from, { type, event: eventIn(value), occurredAt, recordedAt });
    if (isHigher(to, from)) highest.set(entityId, { happened, to });
  }
  const movers = [...highest.values()].sort(
    (a, b) =>
      Stage.options.indexOf(b.to) - Stage.options.indexOf(a.to) || (a.happened.entityId < b.happened.entityId ? -1 : 1),
  );
  return { movers, examined: Math.min(active, contract.MOST_EXAMINED), sampled: active > contract.MOST_EXAMINED };
}

/**
 * Moves the people in the preview, each because of the activity it names, as if these rules had applied when it came.
 */
async function movePeople(ctx: Ctx, table: StageRules): Promise<{ moved: number; remaining: number }> {
  const { movers } = await findMovers(ctx, table);
  const now = movers.slice(0, contract.MOST_MOVED);
  const ids = now.map(({ happened }) => happened.entityId);
  await holdStanding(ctx, ids);
  const stageOf = await findStages(ctx.db, ids);
  const moving = now.filter(({ happened: { entityId }, to }) => {
    const stage = stageOf.get(entityId);
    return stage !== undefined && isHigher(to, stage);
  });
  const draft = { kind: "state", property: STAGE, source: SOURCE, method: "asserted", observedAt: null } as const;
  await record(
    ctx,
    moving.map(({ happened: { entityId, activityId }, to }) => ({
      about: { id: entityId },
      drafts: [{ ...draft, value: to, causedBy: activityId }],
    })),
  );
  return { moved: moving.length, remaining: movers.length - now.length };
}
