import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import type { NewChange } from "#lib/domain/records/change-log/service.ts";
import {
  conflict,
  type EntityRow,
  type Identifier,
  identifierKey,
  notFound,
  withEmployers,
} from "#lib/domain/records/entities/service.ts";
import { beginContact, type Contact } from "./contact.ts";
import {
  keyOf,
  type Lookup,
  type Needs,
  type Reference,
  type Report,
  referenceTo,
  type World,
  whoOf,
} from "./world.ts";

type NewIdentifier = Identifier & { entityId: string; lost: boolean };

/** Identity while reports are taken: the contacts they are about, those that are created, and the owner of each identifier. */
export class Who {
  readonly contacts = new Map<string, Contact>();
  readonly identifiers: NewIdentifier[] = [];
  readonly made: { [Type in "person" | "company"]: NewChange[] } = { person: [], company: [] };
  private readonly world: World;
  private readonly needs: Needs;
  /** the owner of each identifier that changes hands; null: none */
  private readonly owners = new Map<string, Contact | null>();

  constructor(world: World, needs: Needs) {
    this.world = world;
    this.needs = needs;
  }

  /** The contact that a report is about, and which of its identifiers that contact does not have yet. */
  contactOf({ about, source, drafts }: Report) {
    if ("id" in about) {
      const contact = this.find({ id: about.id });
      if (!contact || (about.only && !about.only.includes(contact.entity.type)))
        return notFound({ kind: "id", value: about.id });
      const gets = (about.gets ?? []).map((named) => ({ named, owner: this.find(named) }));
      const other = gets.find(({ owner }) => owner && owner !== contact);
      if (other?.owner) return conflict(other.owner.entity.id, other.named);
      const lacks = gets.flatMap(({ named, owner }) => (owner ? [] : [named]));
      return this.comesBack(contact.entity.type, lacks)
        ? new Fault("person_erased")
        : { contact, created: false, lacks };
    }
    const { named, type, create } = about;
    const owned = named.map((one) => ({ one, owner: this.find(one) }));
    const having = owned.flatMap(({ one, owner }) => (owner ? [{ one, owner }] : []));
    const [first] = having;
    const other =
      having.find(({ owner }) => owner !== first?.owner) ?? (first?.owner.entity.type === type ? undefined : first);
    if (other) return conflict(other.owner.entity.id, other.one, first?.owner.entity.id);
    const lacks = owned.flatMap(({ one, owner }) => (owner ? [] : [one]));
    if (this.comesBack(type, lacks)) {
      for (const one of lacks) this.needs.names.set(identifierKey(one), one);
      return new Fault("person_erased");
    }
    if (first) return { contact: first.owner, created: false, lacks };
    const [whose] = named;
    if (!whose || !create) return whose ? notFound(whose) : new Fault("identifier_required");
    return { contact: this.create(type, source ?? drafts[0]?.source ?? this.world.source), created: true, lacks };
  }

  /** The contact with an id or identifier, with the changes of this call so far. */
  find(who: Reference["who"]): Contact | null {
    const key = whoOf(who);
    const owner = this.owners.get(key);
    if (owner !== undefined) return owner;
    const lookup = this.world.lookups.get(key);
    if (lookup === undefined) this.need(referenceTo(who));
    return lookup ? this.standing(lookup) : null;
  }

  private standing(lookup: Lookup): Contact | null {
    const { id, type, status, absorbed, createdAt, isLead, stage, name, domain } = lookup;
    if (id === null) return null;
    const standing = this.contacts.get(id);
    if (standing) return standing;
    const entity: EntityRow = { id, type, status, absorbed, createdAt };
    const contact = beginContact(this.world, entity, false, type === "person" ? (stage ?? "identified") : null);
    contact.isLead = isLead;
    contact.label = { name, domain };
    this.contacts.set(id, contact);
    return contact;
  }

  /** Creates a person or company. */
  create(type: "person" | "company", source: string): Contact {
    const entity: EntityRow = {
      id: this.world.newId(),
      type,
      status: "active",
      absorbed: [],
      createdAt: this.world.at,
    };
    const contact = beginContact(this.world, entity, true, type === "person" ? "identified" : null);
    this.contacts.set(entity.id, contact);
    this.made[type].push({ type: `${type}.created`, entityId: entity.id, source });
    return contact;
  }

  /**
   * Whether a report would give someone an identifier of a person who was erased, which no one has now, although its caller did not
   * choose whom it names. Nothing of such a report counts: what else it says may be about the same person.
   */
  private comesBack(type: EntityRow["type"], lacks: readonly Identifier[]): boolean {
    if (this.world.onPurpose || type !== "person") return false;
    for (const one of lacks) this.needs.erased.set(identifierKey(one), one);
    return lacks.some((one) => this.world.erased.get(identifierKey(one)) === true);
  }

  /** Gives identifiers that no one has, and locks them: with the domains of the companies that they name. */
  give(contact: Contact, lacks: readonly Identifier[]): void {
    for (const named of withEmployers(lacks)) this.needs.names.set(identifierKey(named), named);
    for (const named of lacks) {
      this.owners.set(identifierKey(named), contact);
      contact.gets.push(named);
      this.identifiers.push({ ...named, entityId: contact.entity.id, lost: false });
    }
    if (lacks.length === 0) return;
    this.show(contact);
    this.holdLabel(contact);
  }

  /**
   * Who is shown with a company's name and who changes it hold the lock of its domain: so no one is shown with one that another
   * is just changing.
   */
  holdLabel({ label }: Pick<Contact, "label">): void {
    if (label.domain === null) return;
    const named: Identifier = { kind: "domain", value: label.domain };
    this.needs.names.set(identifierKey(named), named);
  }

  /** The time of the identifiers that a contact gets: those it has are older, by any clock, so that the latest is the primary one. */
  namedAt({ entity }: Contact): Date {
    const latest = this.world.subjects.get(entity.id)?.namedAt;
    return latest && latest >= this.world.at ? new Date(latest.getTime() + 1) : this.world.at;
  }

  /** What a report changes besides evidence: the status, and the identifiers that are lost or preferred. */
  change(contact: Contact, { status, action = null, loses = [], prefers }: Report): void {
    if (status !== undefined && status !== contact.entity.status) {
      contact.entity = { ...contact.entity, status };
      contact.action = action;
      this.show(contact);
    }
    if (prefers) {
      contact.prefers = prefers;
      this.show(contact);
    }
    if (loses.length === 0) return;
    this.show(contact);
    this.holdLabel(contact);
    const isLost = (one: Identifier) => contact.loses.some((lost) => identifierKey(lost) === identifierKey(one));
    const stored = this.world.subjects.get(contact.entity.id)?.identifiers ?? [];
    const has = [...stored.filter((one) => !isLost(one)), ...contact.gets];
    for (const named of has.filter((one) =>
      loses.some(({ kind, value }) => kind === one.kind && (value === undefined || value === one.value)),
    )) {
      this.owners.set(identifierKey(named), null);
      if (!isLost(named)) contact.loses.push(named);
      contact.gets = contact.gets.filter((one) => identifierKey(one) !== identifierKey(named));
      const own = this.identifiers.find((one) => !one.lost && identifierKey(one) === identifierKey(named));
      if (own) own.lost = true;
      this.needs.names.set(identifierKey(named), named);
    }
  }

  /** Has its row written again. */
  show(contact: Contact): void {
    contact.shown = contact.entity.type !== "workspace";
    if (contact.shown && !contact.isNew) this.needs.subjects.add(contact.entity.id);
  }

  /** The name of the company that a person is shown with. */
  needEmployer(contact: Contact): void {
    if (contact.entity.type !== "person" || !contact.weighing.touches("works_at")) return;
    const belief = contact.weighing.beliefOn("works_at");
    const value = belief?.ended ? null : belief?.value;
    if (typeof value !== "string" || !isUuid(value) || this.contacts.has(value)) return;
    if (!this.world.lookups.has(value)) this.need(referenceTo({ id: value }));
  }

  private need(reference: Reference): void {
    this.needs.references.set(keyOf(reference), reference);
  }
}
