import { Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import type { NewChange } from "#lib/domain/records/change-log/service.ts";
import {
  companyDomainOf,
  conflict,
  type EntityRow,
  identifierKey,
  type Named,
  notFound,
  type Resolved,
  withEmployers,
} from "#lib/domain/records/entities/service.ts";
import { type ActivityType, activityOf, ownEvents } from "#lib/domain/records/evidence/contract.ts";
import {
  type Belief,
  type Believed,
  type Draft,
  type NewClaim,
  type NewEvidence,
  Weighing,
} from "#lib/domain/records/evidence/service.ts";
import type { NewEvent } from "#lib/domain/records/outbox/service.ts";
import { isHigher, type Stage } from "./fields.ts";
import type { LeadNews } from "./lead-moves.ts";
import { saidByActivity } from "./leads.ts";
import { stageOf } from "./rows.ts";
import { eventIn, stageAfter, standardRules } from "./stages.ts";
import {
  keyOf,
  type Label,
  type Looked,
  type Needs,
  pairOf,
  type Reference,
  type Repeat,
  type Report,
  referenceTo,
  type World,
  whoOf,
} from "./world.ts";

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

type Identifier = Named & { entityId: string; lost: boolean };

/**
 * Works out what follows from reports, each building on those before it: without a database, a clock or chance. What it
 * needs to be right is in `needs`; when the world lacks some of that, it is read and everything is decided again.
 */
export class Decision {
  readonly needs: Needs = {
    names: new Map(),
    entities: new Set(),
    references: new Map(),
    evidence: new Map(),
    subjects: new Set(),
    erased: new Map(),
    rules: false,
  };
  readonly contacts = new Map<string, Contact>();
  readonly identifiers: Identifier[] = [];
  private readonly made: { [Type in "person" | "company"]: NewChange[] } = { person: [], company: [] };
  readonly events: NewEvent[] = [];
  /** what activities say about people who may be leads */
  readonly leadNews: LeadNews[] = [];
  /** about employers, and about everyone else */
  readonly ofEmployers: NewEvidence[] = [];
  private learned: NewEvidence[] = [];
  private readonly world: World;
  /** who has which identifier, where that changes; null: no one */
  private readonly owners = new Map<string, Contact | null>();

  constructor(world: World) {
    this.world = world;
  }

  get at(): Date {
    return this.world.at;
  }

  /** In the order in which it is learned: about employers first. */
  get evidence(): readonly NewEvidence[] {
    return [...this.ofEmployers, ...this.learned];
  }

  /** Entries of the feed: of companies first, for which people work. */
  get feed(): readonly NewChange[] {
    return [...this.made.company, ...this.made.person];
  }

  claims(): NewClaim[] {
    return [...this.contacts.values()].flatMap(({ weighing }) => weighing.claims());
  }

  /** Takes the next report; a fault in place of a result refuses it, and nothing follows from it. */
  take(given: Report): Told | Fault {
    const found = this.contactOf(given);
    if (isFault(found)) return found;
    const { contact, created, lacks } = found;
    if (!created && this.onlyRepeats(given, contact)) return this.answer(given, contact);
    contact.isTold = true;
    const report = this.withEmployer(withIds(given, created, this.world.newId));
    if (!contact.isNew) this.needs.entities.add(contact.entity.id);
    this.give(contact, lacks);
    this.change(contact, report);
    const place = this.learned.length;
    for (const draft of this.impliedBy(report, contact, created, lacks)) this.learn(contact, draft);
    const entityId = contact.entity.id;
    if (created && contact.entity.type === "person")
      this.events.push({ type: "contact.created", entityId, observationId: this.learned[place]?.id ?? null });
    const { outcomes, believed } = this.tell(contact, report, created);
    if (contact.shown) this.needEmployer(contact);
    const properties = new Set(report.said.map(({ property }) => property));
    if (outcomes.some(({ repeated, stages }) => !repeated && stages && stages.before !== stages.after))
      properties.add(STAGE);
    const recomputed = new Set<string>();
    for (const { kind, property } of this.learned.slice(place))
      if (kind === "state" && properties.has(property) && contact.weighing.beliefOn(property) !== null)
        recomputed.add(property);
    return {
      entity: resolved(contact, created, lacks),
      at: this.at,
      outcomes,
      believed,
      recomputed: [...recomputed],
    };
  }

  // --- Who -----------------------------------------------------------------------------------------------------------

  /** Whom a report is about, and which of the identifiers it gives them they lack. */
  private contactOf({ about, source, said }: Report) {
    if ("id" in about) {
      const contact = this.known({ id: about.id });
      if (!contact || (about.only && !about.only.includes(contact.entity.type)))
        return notFound({ kind: "id", value: about.id });
      const gets = (about.gets ?? []).map((named) => ({ named, owner: this.known(named) }));
      const other = gets.find(({ owner }) => owner && owner !== contact);
      if (other?.owner) return conflict(other.owner.entity.id, other.named);
      return { contact, created: false, lacks: gets.flatMap(({ named, owner }) => (owner ? [] : [named])) };
    }
    const { named, type, create } = about;
    const owned = named.map((one) => ({ one, owner: this.known(one) }));
    const having = owned.flatMap(({ one, owner }) => (owner ? [{ one, owner }] : []));
    const [first] = having;
    const other =
      having.find(({ owner }) => owner !== first?.owner) ?? (first?.owner.entity.type === type ? undefined : first);
    if (other) return conflict(other.owner.entity.id, other.one, first?.owner.entity.id);
    const lacks = owned.flatMap(({ one, owner }) => (owner ? [] : [one]));
    if (first) return { contact: first.owner, created: false, lacks };
    const [whose] = named;
    if (!whose || !create || (create === "unless_erased" && this.wasErased(named))) {
      for (const one of named) if (create) this.needs.names.set(identifierKey(one), one);
      return whose ? notFound(whose) : new Fault("identifier_required");
    }
    return { contact: this.create(type, source ?? said[0]?.source ?? this.world.source), created: true, lacks };
  }

  /** The entity of an id or identifier, as this call leaves it so far. */
  private known(who: Reference["who"]): Contact | null {
    const key = whoOf(who);
    const owner = this.owners.get(key);
    if (owner !== undefined) return owner;
    const looked = this.world.looked.get(key);
    if (looked === undefined) this.need(referenceTo(who));
    return looked ? this.standing(looked) : null;
  }

  private standing(looked: Looked): Contact | null {
    const { id, type, status, absorbed, createdAt, isLead, stage, name, domain } = looked;
    if (id === null) return null;
    const standing = this.contacts.get(id);
    if (standing) return standing;
    const entity: EntityRow = { id, type, status, absorbed, createdAt };
    const contact = this.begin(entity, false, type === "person" ? (stage ?? "identified") : null);
    contact.isLead = isLead;
    contact.label = { name, domain };
    this.contacts.set(id, contact);
    return contact;
  }

  private create(type: "person" | "company", source: string): Contact {
    const entity: EntityRow = { id: this.world.newId(), type, status: "active", absorbed: [], createdAt: this.at };
    const contact = this.begin(entity, true, type === "person" ? "identified" : null);
    this.contacts.set(entity.id, contact);
    contact.shown = true;
    this.made[type].push({ type: `${type}.created`, entityId: entity.id, source });
    return contact;
  }

  private begin(entity: EntityRow, isNew: boolean, stage: Stage | null): Contact {
    const evidence = isNew ? [] : (this.world.evidence.get(entity.id) ?? []);
    return {
      ...{
        entity,
        isNew,
        wasStatus: entity.status,
        action: null,
        stage,
        isLead: false,
        label: { name: null, domain: null },
      },
      weighing: new Weighing(entity.id, this.at, evidence, this.world.newId),
      told: new Map(),
      ...{
        gets: [],
        loses: [],
        prefers: null,
        isTold: isNew,
        shown: false,
        moved: false,
        touched: false,
        activityAt: null,
      },
    };
  }

  private wasErased(named: readonly Named[]): boolean {
    for (const one of named) this.needs.erased.set(identifierKey(one), one);
    return named.some((one) => this.world.erased.get(identifierKey(one)) === true);
  }

  /** Gives identifiers that no one has, and locks them: with the domains of the companies that they name. */
  private give(contact: Contact, lacks: readonly Named[]): void {
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
  private holdLabel({ entity, label }: Pick<Contact, "label"> & { entity: Pick<EntityRow, "type"> }): void {
    if (entity.type !== "company" || label.domain === null) return;
    const named: Named = { kind: "domain", value: label.domain };
    this.needs.names.set(identifierKey(named), named);
  }

  /** The time of the identifiers that a contact gets: those it has are older, by any clock, so that the latest is the primary one. */
  namedAt({ entity }: Contact): Date {
    const latest = this.world.subjects.get(entity.id)?.namedAt;
    return latest && latest >= this.at ? new Date(latest.getTime() + 1) : this.at;
  }

  /** What a report changes besides evidence: the status, and the identifiers that are lost or preferred. */
  private change(contact: Contact, { status, action = null, loses = [], prefers }: Report): void {
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
    const has = [...(this.world.subjects.get(contact.entity.id)?.identifiers ?? []), ...contact.gets].filter(
      (one) => !contact.loses.some((lost) => identifierKey(lost) === identifierKey(one)),
    );
    for (const named of has.filter((one) =>
      loses.some(({ kind, value }) => kind === one.kind && (value === undefined || value === one.value)),
    )) {
      this.owners.set(identifierKey(named), null);
      contact.loses.push(named);
      contact.gets = contact.gets.filter((one) => identifierKey(one) !== identifierKey(named));
      const own = this.identifiers.find(
        ({ entityId, lost, ...one }) =>
          !lost && entityId === contact.entity.id && identifierKey(one) === identifierKey(named),
      );
      if (own) own.lost = true;
      this.needs.names.set(identifierKey(named), named);
    }
  }

  private show(contact: Contact): void {
    contact.shown = contact.entity.type !== "workspace";
    if (contact.shown && !contact.isNew) this.needs.subjects.add(contact.entity.id);
  }

  // --- What follows by itself ----------------------------------------------------------------------------------------

  /** Where someone who is new came from, how they are called, and for whom they work whose business e-mail is new. */
  private impliedBy(report: Report, contact: Contact, created: boolean, lacks: readonly Named[]): Draft[] {
    if (!created && lacks.length === 0) return [];
    const { said, introduces = [], source = said[0]?.source ?? this.world.source } = report;
    const causedBy = created && report.introduces ? said[0]?.id : undefined;
    const caused = causedBy === undefined ? {} : { causedBy };
    const state = (property: string, value: string, method: Draft["method"] = "observed"): Draft => ({
      ...{ kind: "state", property, value, source, method, observedAt: null },
      ...caused,
    });
    const has = (property: string) => said.some((draft) => draft.property === property && draft.kind === "state");
    const origin = created && !has("source") ? [state("source", source)] : [];
    const introduction = created ? introduces.map((draft) => ({ ...draft, ...caused })) : [];
    const employer = has("works_at") ? null : this.employerOf(contact, lacks, source, causedBy);
    return [...origin, ...(employer === null ? [] : [state("works_at", employer, "inferred")]), ...introduction];
  }

  /** Takes what is said of the company that a person works for, and has it said that they do. */
  private withEmployer({ employer, ...report }: Report): Report {
    if (!employer) return report;
    const { learned } = this;
    this.learned = this.ofEmployers;
    const told = this.take(employer);
    this.learned = learned;
    if (isFault(told)) return report; // its identifiers contradict each other
    const value = told.entity.id;
    const works: Draft = { kind: "state", property: "works_at", value, method: "inferred", ...employer.terms };
    return { ...report, said: [works, ...report.said] };
  }

  /** The company that the business e-mail of a person names; one that is not known is founded. */
  private employerOf(contact: Contact, lacks: readonly Named[], source: string, causedBy?: string): string | null {
    if (contact.entity.type !== "person") return null;
    const domains = lacks.flatMap(({ kind, value }) => (kind === "email" ? (companyDomainOf(value) ?? []) : []));
    const [value] = domains;
    if (value === undefined) return null;
    const domain: Named = { kind: "domain", value };
    const known = this.known(domain);
    if (known) {
      this.holdLabel(known);
      return known.entity.id;
    }
    const company = this.create("company", source);
    this.give(company, [domain]);
    const said: Draft = {
      kind: "state",
      property: "source",
      value: source,
      source,
      method: "observed",
      observedAt: null,
    };
    this.ofEmployers.push(company.weighing.learn(causedBy === undefined ? said : { ...said, causedBy }));
    return company.entity.id;
  }

  // --- What is said --------------------------------------------------------------------------------------------------

  private onlyRepeats(report: Report, contact: Contact): boolean {
    const { said } = report;
    return (
      said.length > 0 && said.every((draft) => draft.kind === "event" && this.repeatOf(report, contact, draft) !== null)
    );
  }

  private repeatOf(
    { about }: Pick<Report, "about">,
    contact: Contact,
    { kind, property, source, externalId }: Draft,
  ): Outcome | null {
    if (externalId === undefined) return null;
    const told = contact.told.get(`${source}\n${externalId}`);
    if (told) return { ...told, repeated: true };
    const who = "id" in about ? { id: about.id } : about.named[0];
    const known = who && this.world.looked.get(keyOf({ who, source, externalId }))?.known;
    if (!known) return null;
    const isActivity = kind === "event" && activityOf(property) !== null;
    return isActivity
      ? outcomeOf(known, contact.stage)
      : { ...outcomeOf(known, null), stages: null, introduces: false };
  }

  /** The answer to a report of which nothing is new. */
  private answer(report: Report, contact: Contact): Told {
    const outcomes = report.said.map((draft) => this.repeatOf(report, contact, draft) as Outcome);
    return { entity: resolved(contact, false, []), at: this.at, outcomes, believed: [], recomputed: [] };
  }

  private tell(contact: Contact, report: Report, created: boolean) {
    const outcomes: Outcome[] = [];
    const believed = new Map<string, Believed>();
    const told = new Map<string, { value: unknown; before: Belief | null }>();
    const isNews = report.amends !== true;
    let stands = {
      from: contact.stage,
      by: null as { id: string; causedBy?: string } | null,
      isNews: isNews && !created,
    };
    // What states that were told one after another made of it.
    const sumUp = () => {
      for (const [property, { value, before }] of told) {
        const now = contact.weighing.believed(property, value, before);
        believed.set(property, { ...now, changed: now.changed || believed.get(property)?.changed === true });
      }
      told.clear();
      const { from, by } = stands;
      if (by !== null && stands.isNews && from && contact.stage && isHigher(contact.stage, from))
        this.events.push(stageAdvanced(contact.entity.id, by.id, from, contact.stage, by.causedBy ?? null));
      stands = { from: contact.stage, by: null, isNews };
    };
    for (const draft of report.said) {
      const { kind, property, value } = draft;
      const isState = kind === "state";
      if (isState) this.needEvidence(contact, property);
      const before = isState && !told.has(property) ? contact.weighing.beliefOn(property) : null;
      if (isState) told.set(property, { value, before: told.get(property)?.before ?? before });
      const activity = isState || contact.entity.type === "workspace" || report.amends ? null : activityOf(property);
      if (activity !== null) sumUp();
      const earlier = this.repeatOf(report, contact, draft);
      const introduces = created && report.introduces !== undefined && outcomes.length === 0;
      const outcome =
        earlier ??
        (activity ? this.happens(contact, draft, activity, introduces) : this.learnUnlessSaid(contact, draft));
      outcomes.push(outcome);
      if (activity !== null) stands.from = contact.stage;
      if (draft.externalId !== undefined) contact.told.set(`${draft.source}\n${draft.externalId}`, outcome);
      if (isState && property === STAGE && contact.stage !== null) {
        const belief = contact.weighing.beliefOn(STAGE);
        if (!outcome.repeated) contact.stage = stageOf(belief?.ended ? undefined : belief?.value);
        stands.by = { ...draft, id: outcome.id };
      }
    }
    sumUp();
    return { outcomes, believed: [...believed.values()] };
  }

  private learnUnlessSaid(contact: Contact, draft: Draft): Outcome {
    const before = contact.weighing.saidBefore(draft);
    const id = before ?? this.learn(contact, draft).id;
    return { id, of: contact.entity.id, repeated: before !== null, stages: null, introduces: false };
  }

  /** Takes what is new, other than an activity. */
  private learn(contact: Contact, draft: Draft): NewEvidence {
    const { kind, property, observedAt, causedBy } = draft;
    if (kind === "state") this.needEvidence(contact, property);
    if (property === "name") this.holdLabel(contact);
    const employer = property === "works_at" ? this.world.looked.get(String(draft.value)) : undefined;
    if (employer) this.holdLabel({ entity: employer, label: employer });
    if (kind === "event") this.touch(contact, property, observedAt);
    const moves = property === STAGE && causedBy !== undefined;
    if (moves) contact.touched = contact.moved = true;
    else this.show(contact);
    const item = contact.weighing.learn(moves ? { ...draft, observedAt: this.dateOfMove(contact) } : draft);
    this.learned.push(item);
    return item;
  }

  /** A stage that an activity moved is never dated earlier than what it moves from, by any clock. */
  private dateOfMove({ weighing }: Contact): Date {
    const times = weighing.evidenceOn(STAGE).map(({ observedAt }) => observedAt.getTime());
    return new Date(Math.max(this.at.getTime(), ...times));
  }

  /** Takes an activity: the stage it moves, and what it says of leads. */
  private happens(contact: Contact, draft: Draft, type: ActivityType, introduces: boolean): Outcome {
    const stages = this.stagesOf(contact, draft, type);
    const item = contact.weighing.learn(draft);
    this.learned.push({
      ...item,
      stageBefore: introduces ? null : (stages?.before ?? null),
      stageAfter: stages?.after ?? null,
    });
    const { id } = item;
    const entityId = contact.entity.id;
    this.events.push({ type: `activity.${type}`, entityId, observationId: id });
    const says = contact.isLead ? saidByActivity(type) : null;
    if (says !== null) this.leadNews.push({ entityId, observationId: id, says, at: item.observedAt });
    if (stages && stages.before !== stages.after) this.move(contact, stages.after, draft.source, id, stages.before);
    contact.touched = true;
    this.touch(contact, draft.property, draft.observedAt);
    return { id, of: entityId, repeated: false, stages, introduces };
  }

  private stagesOf(contact: Contact, { value, observedAt }: Draft, type: ActivityType): Outcome["stages"] {
    const { stage: before } = contact;
    if (before === null) return null;
    if (this.world.rules === null) this.needs.rules = true; // foreseen by the standard ones
    const activity = { type, event: eventIn(value), occurredAt: observedAt ?? this.at, recordedAt: this.at };
    return { before, after: stageAfter(this.world.rules ?? standardRules, before, activity) };
  }

  /** A stage that an activity moved is asserted, like one set by hand: the later of the two counts, and neither blocks the other. */
  private move(contact: Contact, stage: Stage, source: string, causedBy: string, before: Stage): void {
    const said = { kind: "state", property: STAGE, value: stage, source, method: "asserted", causedBy } as const;
    const { id } = this.learn(contact, { ...said, observedAt: null });
    contact.stage = stage;
    this.events.push(stageAdvanced(contact.entity.id, id, before, stage, causedBy));
  }

  /** When it had happened at the latest: a meeting to come counts as of now, and a note of ours is no activity. */
  private touch(contact: Contact, property: string, observedAt: Date | null): void {
    if (ownEvents.includes(property)) return;
    const at = observedAt !== null && observedAt < this.at ? observedAt : this.at;
    if (contact.activityAt === null || at > contact.activityAt) contact.activityAt = at;
  }

  // --- What it all needs ---------------------------------------------------------------------------------------------

  /** The name of the company that a person is shown with. */
  private needEmployer(contact: Contact): void {
    if (contact.entity.type !== "person" || !contact.weighing.touches("works_at")) return;
    const belief = contact.weighing.beliefOn("works_at");
    const value = belief?.ended ? null : belief?.value;
    if (typeof value !== "string" || !isUuid(value) || this.contacts.has(value)) return;
    if (!this.world.looked.has(value)) this.need(referenceTo({ id: value }));
  }

  private need(reference: Reference): void {
    this.needs.references.set(keyOf(reference), reference);
  }

  private needEvidence({ entity, isNew }: Contact, property: string): void {
    if (isNew) return;
    const { id, absorbed } = entity;
    const key = pairOf(entity, property);
    if (!this.needs.evidence.has(key)) this.needs.evidence.set(key, { id, parts: [id, ...absorbed], property });
  }
}

/** The first thing said gets its id before it is told, where others refer to it. */
function withIds(report: Report, created: boolean, newId: () => string): Report {
  const [first, ...rest] = report.said;
  if (!created || !report.introduces || !first) return report;
  return { ...report, said: [{ ...first, id: first.id ?? newId() }, ...rest] };
}

const resolved = ({ entity }: Contact, created: boolean, attached: readonly Named[]): Resolved => ({
  ...entity,
  created,
  attached,
});

/** The answer to what was recorded before. */
export function outcomeOf({ id, of, before, after }: Repeat, stage: Stage | null): Outcome {
  const end = after ?? stage;
  const stages = end && { before: before ?? (after === null ? end : "identified"), after: end };
  return { id, of, repeated: true, stages, introduces: before === null && after !== null };
}

/** The event of a person's stage going up; `causedBy` is the activity that moved it, null when someone set it. */
const stageAdvanced = (
  entityId: string,
  observationId: string,
  from: Stage,
  to: Stage,
  causedBy: string | null,
): NewEvent => ({ type: "stage.advanced", entityId, observationId, data: { from, to, activity_id: causedBy } });
