import { Fault, isFault } from "#lib/core/errors.ts";
import { recordSignals } from "#lib/domain/activities/service.ts";
import { type Resolved, resolveForWrite } from "#lib/domain/entities/service.ts";
import { type ActivityType, activityOf } from "#lib/domain/evidence/contract.ts";
import { type Draft, type FactValue, FactValueInput, factProperty, sourceOf } from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAbout, type Stage } from "#lib/domain/people/service.ts";
import { recordObservations as contract, type ObservationInput } from "./contract.ts";

const HORIZON_MS = 5 * 60_000;

/** Turns an input into a draft; throws `invalid_observation` with its index. */
function draftOf(ctx: Ctx, input: ObservationInput, index: number, onWorkspace: boolean): Draft {
  const refuse = (message: string) => new Fault("invalid_observation", { index }, `observations[${index}]: ${message}`);
  const fact = onWorkspace ? factProperty(input.property) : null;
  const { kind, source = sourceOf(ctx), observed_at = null, external_id } = input;
  if (kind === "state" && observed_at && observed_at.getTime() > Date.now() + HORIZON_MS) {
    throw refuse("a state cannot be observed in the future.");
  }
  const base = {
    kind,
    source,
    observedAt: observed_at,
    ...(external_id === undefined ? {} : { externalId: external_id }),
  };
  if (fact === null)
    return { ...base, property: input.property, value: input.value, method: input.method ?? "observed" };
  if (kind !== "state") throw refuse("note.<uuid> on the workspace is a state.");
  const value = factValueOf(input.value, refuse);
  return { ...base, property: fact, value, method: input.method ?? "asserted" };
}

function factValueOf(value: unknown, refuse: (message: string) => Fault): FactValue | null {
  if (value === null) return null;
  const parsed = typeof value === "string" ? { content: value } : value;
  const result = FactValueInput.safeParse(parsed);
  if (!result.success)
    throw refuse(
      "the value of note.<uuid> is {category?, content}, a string, or null; content is 1 to 10,000 characters.",
    );
  return result.data;
}

export const recordObservations = implement(contract, async (ctx, input) => {
  const entity = await resolveForWrite(ctx, input.focus);
  const drafts = input.observations.map((item, index) => draftOf(ctx, item, index, entity.type === "workspace"));
  const results: Result[] = [];
  let about = entity;
  for (const run of runsOf(drafts, entity)) {
    const activities = run[0] !== undefined && isActivity(run[0], entity);
    if (activities && about.created) await recordAbout(ctx, about, [], run[0]?.source);
    results.push(activities ? await recordRun(ctx, about.id, run) : await recordAbout(ctx, about, run));
    about = { ...entity, created: false, attached: [] };
  }
  const sum = (pick: (result: Result) => number) => results.reduce((total, result) => total + pick(result), 0);
  const staged = results.flatMap(({ stages }) => stages ?? []);
  const [before, after] = [staged[0]?.before, staged.at(-1)?.after];
  return {
    entity_id: entity.id,
    recorded: sum(({ recorded }) => recorded),
    duplicates: sum(({ duplicates }) => duplicates),
    observation_ids: results.flatMap(({ ids }) => ids),
    claims_recomputed: sum(({ claims }) => claims),
    ...(before && after ? { stage_before: before, stage_after: after } : {}),
  };
});

type Result = {
  ids: string[];
  recorded: number;
  duplicates: number;
  claims: number;
  stages?: { before: Stage; after: Stage }[];
};

/** An event that is handled like a captured activity. */
const isActivity = ({ kind, property }: Draft, { type }: Resolved): boolean =>
  kind === "event" && type !== "workspace" && activityOf(property) !== null;

/** The drafts in their order, cut where activities begin and end: a stage set between two of them counts. */
function runsOf(drafts: readonly Draft[], entity: Resolved): Draft[][] {
  const runs: Draft[][] = [];
  for (const [index, draft] of drafts.entries()) {
    const before = drafts[index - 1];
    if (before && isActivity(before, entity) === isActivity(draft, entity)) runs.at(-1)?.push(draft);
    else runs.push([draft]);
  }
  return runs;
}

/** Records activities of an entity that is already resolved, so each is either recorded or a repeat. */
async function recordRun(ctx: Ctx, contactId: string, run: readonly Draft[]): Promise<Result> {
  const outcomes = await recordSignals(
    ctx,
    run.map(({ property, value, source, method, externalId, observedAt }) => ({
      contactId,
      createContact: false,
      orCompany: true,
      type: activityOf(property) as ActivityType,
      value,
      source,
      method,
      externalId,
      occurredAt: observedAt,
    })),
  );
  const captured = outcomes.map((outcome) => {
    if (isFault(outcome)) throw outcome;
    if (!outcome) throw new Fault("entity_not_found"); // erased since it was resolved
    return outcome;
  });
  const news = captured.filter(({ deduplicated }) => !deduplicated);
  return {
    ids: captured.map(({ activityId }) => activityId),
    recorded: news.length,
    duplicates: captured.length - news.length,
    claims: news.some(({ stages }) => stages !== null && stages.before !== stages.after) ? 1 : 0,
    stages: captured.flatMap(({ stages }) => stages ?? []),
  };
}
