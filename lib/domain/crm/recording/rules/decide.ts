import { type Fault, isFault } from "#lib/core/errors.ts";
import type { NewChange } from "#lib/domain/records/change-log/service.ts";
import { companyDomain, companyDomainOf, type Named, type Resolved } from "#lib/domain/records/entities/service.ts";
import type { Draft, NewClaim, NewEvidence } from "#lib/domain/records/evidence/service.ts";
import type { NewEvent } from "#lib/domain/records/outbox/service.ts";
import { type Contact, type Outcome, STAGE, type Told } from "./contact.ts";
import type { LeadNews } from "./lead-moves.ts";
import { Sayings } from "./sayings.ts";
import { Who } from "./who.ts";
import type { Needs, Report, World } from "./world.ts";

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
  /** about employers, whom others only name */
  readonly ofEmployers: NewEvidence[] = [];
  private readonly world: World;
  private readonly who: Who;
  private readonly sayings: Sayings;

  constructor(world: World) {
    this.world = world;
    this.who = new Who(world, this.needs);
    this.sayings = new Sayings(world, this.needs, this.who);
  }

  get at(): Date {
    return this.world.at;
  }

  get contacts(): ReadonlyMap<string, Contact> {
    return this.who.contacts;
  }

  get identifiers(): Who["identifiers"] {
    return this.who.identifiers;
  }

  get events(): readonly NewEvent[] {
    return this.sayings.events;
  }

  get leadNews(): readonly LeadNews[] {
    return this.sayings.leadNews;
  }

  /** The time of the identifiers that a contact gets. */
  namedAt(contact: Contact): Date {
    return this.who.namedAt(contact);
  }

  /** In the order in which it is learned: about employers first. */
  get evidence(): readonly NewEvidence[] {
    return [...this.ofEmployers, ...this.sayings.learned];
  }

  /** Entries of the feed: of companies first, for which people work. */
  get feed(): readonly NewChange[] {
    return [...this.who.made.company, ...this.who.made.person];
  }

  claims(): NewClaim[] {
    return [...this.who.contacts.values()].flatMap(({ weighing }) => weighing.claims());
  }

  /** Takes the next report; a fault in place of a result refuses it, and nothing follows from it. */
  take(given: Report): Told | Fault {
    const found = this.who.contactOf(given);
    if (isFault(found)) return found;
    const { contact, created, lacks } = found;
    if (this.onlyRepeats(given, contact)) return this.answer(given, contact);
    contact.isTold = true;
    const report = this.withEmployer(withIds(given, created, this.world.newId));
    if (!contact.isNew) this.needs.entities.add(contact.entity.id);
    this.who.give(contact, lacks);
    this.who.change(contact, report);
    const place = this.sayings.learned.length;
    for (const draft of this.impliedBy(report, contact, created, lacks)) this.sayings.learn(contact, draft);
    const entityId = contact.entity.id;
    if (created && contact.entity.type === "person")
      this.sayings.events.push({
        type: "contact.created",
        entityId,
        observationId: this.sayings.learned[place]?.id ?? null,
      });
    const { outcomes, believed } = this.sayings.tell(contact, report, created);
    this.who.needEmployer(contact);
    const properties = new Set([STAGE, ...report.said.map(({ property }) => property)]);
    const recomputed = new Set<string>();
    for (const { kind, property } of this.sayings.learned.slice(place))
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

  /** Where someone who is new came from, how they are called, and for whom they work whose business e-mail is new. */
  private impliedBy(report: Report, contact: Contact, created: boolean, lacks: readonly Named[]): Draft[] {
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
    if (employer !== null) this.nameEmployer(said, lacks);
    return [...origin, ...(employer === null ? [] : [state("works_at", employer, "inferred")]), ...introduction];
  }

  /** Takes what is said of the company that a person works for, and has it said that they do. */
  private withEmployer({ employer, ...report }: Report): Report {
    if (!employer) return report;
    const told = this.takeBeside(employer);
    if (isFault(told) || employer.terms === null) return report; // a fault: its identifiers contradict each other
    const value = told.entity.id;
    const works: Draft = { kind: "state", property: "works_at", value, method: "inferred", ...employer.terms };
    return { ...report, said: [works, ...report.said] };
  }

  /** What a person's report says of their company's name is the name of the one that their business e-mail names, if it has none. */
  private nameEmployer(said: readonly Draft[], lacks: readonly Named[]): void {
    const company = said.find(({ property, kind }) => property === "company" && kind === "state");
    const domain = domainOf(lacks);
    if (typeof company?.value !== "string" || domain === null || companyDomain(company.value) === domain.value) return;
    if (this.who.known(domain)?.label.name !== null) return;
    const { value, source, observedAt } = company;
    const name: Draft = {
      kind: "state",
      property: "name",
      value,
      source,
      observedAt,
      method: "inferred",
      onlyBlank: true,
    };
    this.takeBeside({ about: { named: [domain], type: "company", create: false }, said: [name] });
  }

  /** Takes a report about a company that the one in hand only names. */
  private takeBeside(report: Report): Told | Fault {
    const { learned } = this.sayings;
    this.sayings.learned = this.ofEmployers;
    const told = this.take(report);
    this.sayings.learned = learned;
    return told;
  }

  /** The company that the business e-mail of a person names; one that is not known is founded. */
  private employerOf(contact: Contact, lacks: readonly Named[], source: string, causedBy?: string): string | null {
    if (contact.entity.type !== "person") return null;
    const domain = domainOf(lacks);
    if (domain === null) return null;
    const known = this.who.known(domain);
    if (known) {
      this.who.holdLabel(known);
      return known.entity.id;
    }
    const company = this.who.create("company", source);
    this.who.give(company, [domain]);
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

  private onlyRepeats(report: Report, contact: Contact): boolean {
    const { said } = report;
    return (
      said.length > 0 &&
      said.every((draft) => draft.kind === "event" && this.sayings.repeatOf(report, contact, draft) !== null)
    );
  }

  /** The answer to a report of which nothing is new. */
  private answer(report: Report, contact: Contact): Told {
    const outcomes = report.said.map((draft) => this.sayings.repeatOf(report, contact, draft) as Outcome);
    return { entity: resolved(contact, false, []), at: this.at, outcomes, believed: [], recomputed: [] };
  }
}

/** The domain of the company that the first business e-mail among these names. */
function domainOf(identifiers: readonly Named[]): Named | null {
  const [value] = identifiers.flatMap(({ kind, value: email }) =>
    kind === "email" ? (companyDomainOf(email) ?? []) : [],
  );
  return value === undefined ? null : { kind: "domain", value };
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
