import type { Recorded } from "#lib/domain/evidence/service.ts";
import type { NewEvent } from "#lib/domain/outbox/service.ts";
import { isHigher, type Stage } from "../rules/fields.ts";
import { stageOf } from "../rules/rows.ts";
import type { Full } from "./implied.ts";

export const STAGE = "pipeline_stage";

/** New people and stages that went up, in the order of the drafts. */
export function newsOf(
  full: readonly Full[],
  recorded: readonly Recorded[],
  before: ReadonlyMap<string, Stage>,
): NewEvent[] {
  const events: NewEvent[] = [];
  const stands = new Map(before);
  for (const [index, { entity, drafts }] of full.entries()) {
    if (entity.type !== "person") continue;
    const { ids, derived } = recorded[index] as Recorded;
    const belief = derived.find(({ property }) => property === STAGE)?.belief;
    const from = stands.get(entity.id);
    const to = belief || entity.created ? stageOf(belief?.ended ? undefined : belief?.value) : from;
    if (to) stands.set(entity.id, to);
    if (entity.created) {
      events.push({ type: "contact.created", entityId: entity.id, observationId: ids[0] ?? null });
    } else if (from && to && isHigher(to, from)) {
      const moved = ids[drafts.findLastIndex(({ kind, property }) => kind === "state" && property === STAGE)];
      events.push(stageAdvanced(entity.id, moved ?? null, from, to, null));
    }
  }
  return events;
}

/** The event of a person's stage going up; `causedBy` is the activity that moved it, null when someone set it. */
export const stageAdvanced = (
  entityId: string,
  observationId: string | null,
  from: Stage,
  to: Stage,
  causedBy: string | null,
): NewEvent => ({ type: "stage.advanced", entityId, observationId, data: { from, to, activity_id: causedBy } });
