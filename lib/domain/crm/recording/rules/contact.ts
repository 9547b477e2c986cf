import { isUuid } from "#lib/core/ids.ts";
import { type EntityRow, identifierKey, type Named, type Resolved } from "#lib/domain/records/entities/service.ts";
import { type Believed, Weighing } from "#lib/domain/records/evidence/service.ts";
import type { Ingredients } from "./rows.ts";
import type { Stage } from "./stages.ts";
import type { Employer, Label, Looked, Repeat, Subject, World } from "./world.ts";

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

/** A record whose row is to be written: what it is made of, and what its row says now, if it has one. */
export type Shown = {
  type: EntityRow["type"];
  isNew: boolean;
  /** null: it is new */
  before: Subject | null;
  known: Ingredients;
  /** the latest of what was just recorded */
  activityAt: Date | null;
  /** for a row that is derived again: when anything was last recorded; null: it is not known */
  learnedAt: Date | null;
  /** the company that a person is linked to, as it was before */
  employer: Employer | null;
};

/** A record as it is stored. */
export const shownAsStored = (
  entity: EntityRow,
  subject: Subject,
  latest: { activityAt: Date | null; learnedAt: Date | null } = { activityAt: null, learnedAt: null },
): Shown => ({
  type: entity.type,
  isNew: false,
  before: subject,
  known: { ...entity, identifiers: subject.identifiers, claims: new Map(subject.claims) },
  ...latest,
  employer: subject.employer,
});

/** A record after what was decided about it. */
export function shownAfter(
  contact: Contact,
  before: Subject | null,
  contacts: ReadonlyMap<string, Contact>,
  looked: ReadonlyMap<string, Looked>,
): Shown {
  const { entity, isNew, activityAt } = contact;
  const claims = new Map(before?.claims);
  for (const { property, belief } of contact.weighing.claims()) {
    if (property.includes(".")) continue;
    if (belief.ended) claims.delete(property);
    else claims.set(property, belief.value);
  }
  const moves = contact.weighing.touches("works_at");
  const employer = moves ? employerIn(claims.get("works_at"), contacts, looked) : (before?.employer ?? null);
  const known = { ...entity, identifiers: identifiersAfter(contact, before), claims };
  return { type: entity.type, isNew, before, known, activityAt, learnedAt: null, employer };
}

/** The primary one of a kind before the others: the one preferred, then the latest. */
function identifiersAfter({ gets, loses, prefers }: Contact, before: Subject | null) {
  const lost = new Set(loses.map(identifierKey));
  const kept = (before?.identifiers ?? []).filter((one) => !lost.has(identifierKey(one)));
  const all = [...gets.toReversed(), ...kept];
  return prefers === null ? all : [prefers, ...all.filter((one) => identifierKey(one) !== identifierKey(prefers))];
}

function employerIn(
  value: unknown,
  contacts: ReadonlyMap<string, Contact>,
  looked: ReadonlyMap<string, Looked>,
): Employer | null {
  if (typeof value !== "string" || !isUuid(value)) return null;
  const contact = contacts.get(value);
  if (contact?.entity.type === "company") return { id: value, ...contact.label };
  const company = looked.get(value);
  if (!company || company.id === null || company.type !== "company") return null;
  const { id, name, domain } = company;
  return { id, name, domain };
}
