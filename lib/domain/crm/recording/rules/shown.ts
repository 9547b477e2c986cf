import { isUuid } from "#lib/core/ids.ts";
import { type EntityRow, identifierKey } from "#lib/domain/records/entities/service.ts";
import type { Contact } from "./contact.ts";
import type { Ingredients } from "./rows.ts";
import type { Employer, Looked, Subject } from "./world.ts";

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
  const found = looked.get(value);
  if (!found || found.id === null || found.type !== "company") return null;
  const { id, name, domain } = found;
  return { id, name, domain };
}
