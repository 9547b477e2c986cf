import type { EntityRow, Named, Resolved } from "#lib/domain/records/entities/service.ts";
import { type Believed, Weighing } from "#lib/domain/records/evidence/service.ts";
import type { Stage } from "./stages.ts";
import type { Label, Repeat, World } from "./world.ts";

export const STAGE = "pipeline_stage";

/** The result of one thing that was said. */
export type Outcome = {
  id: string;
  /** whom it was recorded about: who that is now, unless it is a repeat */
  of: string;
  /** it was recorded before, and the rest is as in the first answer */
  repeated: boolean;
  /** of an activity of a person */
  stages: { before: Stage; after: Stage } | null;
  /** its person became known by it */
  introduces: boolean;
};

/** The result of a report. */
export type Told = {
  entity: Resolved;
  at: Date;
  outcomes: readonly Outcome[];
  /** of each state that was given, the repeated ones too */
  believed: readonly Believed[];
  /** properties whose claim was derived again */
  recomputed: readonly string[];
};

/** The answer to what was recorded before. */
export function outcomeOf({ id, of, before, after }: Repeat, stage: Stage | null): Outcome {
  const end = after ?? stage;
  const stages = end && { before: before ?? (after === null ? end : "identified"), after: end };
  return { id, of, repeated: true, stages, introduces: before === null && after !== null };
}

/** How many of the things said were new. */
export const countNew = ({ outcomes }: Told): number => outcomes.filter(({ repeated }) => !repeated).length;

/** One entity while it is told of. */
export type Contact = {
  entity: EntityRow;
  isNew: boolean;
  /** before this call */
  wasStatus: EntityRow["status"];
  /** the bulk action that set its status */
  action: string | null;
  isLead: boolean;
  /** of a person */
  stage: Stage | null;
  /** of a company, before this call */
  label: Label;
  weighing: Weighing;
  /** what was said under a source and external id in this call */
  told: Map<string, Outcome>;
  /** identifiers that it gets, the latest last, and loses */
  gets: Named[];
  loses: Named[];
  prefers: Named | null;
  /** a report is about it, or it was founded */
  isTold: boolean;
  /** its row follows from more than the activities */
  shown: boolean;
  moved: boolean;
  /** the latest of what happened, and whether anything did */
  touched: boolean;
  activityAt: Date | null;
};

/** Before anything is told of it. */
export function beginContact(world: World, entity: EntityRow, isNew: boolean, stage: Stage | null): Contact {
  const weighing = new Weighing(entity.id, world.at, world.evidence.get(entity.id) ?? [], world.newId);
  const nothing = { action: null, prefers: null, shown: false, moved: false, touched: false, activityAt: null };
  const whose = { wasStatus: entity.status, stage, isLead: false, label: { name: null, domain: null } };
  return { ...nothing, ...whose, entity, isNew, weighing, isTold: isNew, told: new Map(), gets: [], loses: [] };
}
