import { isUuid } from "#lib/core/ids.ts";
import {
  type EntityRow,
  type Identifier,
  identifierKey,
  type ResolvedEntity,
} from "#lib/domain/records/entities/service.ts";
import { type CurrentBelief, type Draft, Weighing } from "#lib/domain/records/evidence/service.ts";
import type { Ingredients } from "./rows.ts";
import type { Stage } from "./stages.ts";
import type { Employer, Label, Lookup, Repeat, Subject, World } from "./world.ts";

export const STAGE = "pipeline_stage";

/** The result of one draft. */
export type DraftResult = {
  id: string;
  /** the entity that it was recorded about, as merged now, unless it is a repeat */
  of: string;
  /** it was recorded before, and the rest is as in the first answer */
  repeated: boolean;
  /** of an activity of a person */
  stages: { before: Stage; after: Stage } | null;
  /** its person was created for it */
  introduces: boolean;
  /** it was not recorded: a person said otherwise, and must approve it first; `id` is then the evidence that stays */
  waits?: true;
};

/** `saidAt`: when a person gave the value that it would replace. */
export type HeldDraft = Omit<Draft, "externalId"> & { externalId?: string | undefined; saidAt: Date };

/** The result of a report. */
export type ReportResult = {
  entity: ResolvedEntity;
  at: Date;
  outcomes: readonly DraftResult[];
  /** of each state in the report, the repeated ones too */
  believed: readonly CurrentBelief[];
  /** properties whose claim was derived again */
  recomputed: readonly string[];
  /** the drafts that were not recorded, because a person said otherwise */
  held: readonly HeldDraft[];
};

/** The result of a draft that was recorded before. */
export function outcomeOf({ id, of, before, after }: Repeat, stage: Stage | null): DraftResult {
  const end = after ?? stage;
  const stages = end && { before: before ?? (after === null ? end : "identified"), after: end };
  return { id, of, repeated: true, stages, introduces: before === null && after !== null };
}

/** How many of the drafts were new. */
export const countNew = ({ outcomes }: ReportResult): number =>
  outcomes.filter(({ repeated, waits }) => !repeated && !waits).length;

/** One entity while reports about it are taken. */
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
  /** results in this call, by source and external id */
  results: Map<string, DraftResult>;
  /** identifiers that it gets, the latest last, and loses */
  gets: Identifier[];
  loses: Identifier[];
  prefers: Identifier | null;
  /** a report is about it, or it was created */
  isReported: boolean;
  /** its row follows from more than the activities */
  shown: boolean;
  moved: boolean;
  /** the latest of what happened, and whether anything did */
  touched: boolean;
  activityAt: Date | null;
};

/** A contact before any report about it is taken. */
export function beginContact(world: World, entity: EntityRow, isNew: boolean, stage: Stage | null): Contact {
  const weighing = new Weighing(entity.id, world.at, world.evidence.get(entity.id) ?? [], world.newId);
  const nothing = { action: null, prefers: null, shown: false, moved: false, touched: false, activityAt: null };
  const whose = { wasStatus: entity.status, stage, isLead: false, label: { name: null, domain: null } };
  return { ...nothing, ...whose, entity, isNew, weighing, isReported: isNew, results: new Map(), gets: [], loses: [] };
}

/** A record whose row is to be written: what it is made of, and what its row says now, if it has one. */
export type RowIngredients = {
  type: EntityRow["type"];
  isNew: boolean;
  /** null: it is new */
  before: Subject | null;
  ingredients: Ingredients;
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
): RowIngredients => ({
  type: entity.type,
  isNew: false,
  before: subject,
  ingredients: { ...entity, identifiers: subject.identifiers, claims: new Map(subject.claims) },
  ...latest,
  employer: subject.employer,
});

/** A record after what was decided about it. */
export function shownAfter(
  contact: Contact,
  before: Subject | null,
  contacts: ReadonlyMap<string, Contact>,
  lookups: ReadonlyMap<string, Lookup>,
): RowIngredients {
  const { entity, isNew, activityAt } = contact;
  const claims = new Map(before?.claims);
  for (const { property, belief } of contact.weighing.claims()) {
    if (property.includes(".")) continue;
    if (belief.ended) claims.delete(property);
    else claims.set(property, belief.value);
  }
  const moves = contact.weighing.touches("works_at");
  const employer = moves ? employerIn(claims.get("works_at"), contacts, lookups) : (before?.employer ?? null);
  const ingredients = { ...entity, identifiers: identifiersAfter(contact, before), claims };
  return { type: entity.type, isNew, before, ingredients, activityAt, learnedAt: null, employer };
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
  lookups: ReadonlyMap<string, Lookup>,
): Employer | null {
  if (typeof value !== "string" || !isUuid(value)) return null;
  const contact = contacts.get(value);
  if (contact?.entity.type === "company") return { id: value, ...contact.label };
  const company = lookups.get(value);
  if (!company || company.id === null || company.type !== "company") return null;
  const { id, name, domain } = company;
  return { id, name, domain };
}
