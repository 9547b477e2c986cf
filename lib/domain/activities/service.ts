import { Fault } from "#lib/core/errors.ts";
import { resolveForWrite } from "#lib/domain/entities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  type Draft,
  type FactValue,
  FactValueInput,
  factProperty,
  sourceOf,
} from "#lib/domain/observations/service.ts";
import { recordAbout } from "#lib/domain/people/service.ts";
import { recordObservations as contract, type ObservationInput } from "./contract.ts";

export {
  type Captured,
  type CapturedSignal,
  captureSignal,
  captureSignals,
  supersedeActivity,
} from "./service/capture.ts";

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
  const { ids, recorded, duplicates, claims } = await recordAbout(ctx, entity, drafts);
  return { entity_id: entity.id, recorded, duplicates, observation_ids: ids, claims_recomputed: claims };
});
