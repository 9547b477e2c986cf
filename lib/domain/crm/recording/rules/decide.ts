import { type Fault, isFault } from "#lib/core/errors.ts";
import type { NewChange } from "#lib/domain/records/change-log/service.ts";
import {
  companyDomain,
  companyDomainOf,
  type Identifier,
  normaliseCompanyName,
  type ResolvedEntity,
} from "#lib/domain/records/entities/service.ts";
import type { Draft, NewClaim, NewEvidence } from "#lib/domain/records/evidence/service.ts";
import type { NewEvent } from "#lib/domain/records/outbox/service.ts";
import { type Contact, type DraftResult, type ReportResult, STAGE } from "./contact.ts";
import { Intake } from "./intake.ts";
import type { LeadNews } from "./lead-moves.ts";
import { Who } from "./who.ts";
import type { About, Needs, Report, World } from "./world.ts";

type EmployerReport = NonNullable<Report["employer"]>;

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
  /** about employers that other reports name */
  readonly ofEmployers: NewEvidence[] = [];
  private readonly world: World;
  private readonly who: Who;
  private readonly intake: Intake;

  constructor(world: World) {
    this.world = world;
    this.who = new Who(world, this.needs);
    this.intake = new Intake(world, this.needs, this.who);
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
    return this.intake.events;
  }

  get leadNews(): readonly LeadNews[] {
    return this.intake.leadNews;
  }

  /** The time of the identifiers that a contact gets. */
  namedAt(contact: Contact): Date {
    return this.who.namedAt(contact);
  }

  /** In the order in which it is learned: about employers first. */
  get evidence(): readonly NewEvidence[] {
    return [...this.ofEmployers, ...this.intake.learned];
  }

  /** Entries of the feed: of companies first, for which people work. */
  get feed(): readonly NewChange[] {
    return [...this.who.made.company, ...this.who.made.person];
  }

  claims(): NewClaim[] {
    return [...this.who.contacts.values()].flatMap(({ weighing }) => weighing.claims());
  }

  /** Takes the next report; a fault in place of a result refuses it, and nothing follows from it. */
  take(incoming: Report): ReportResult | Fault {
    const subject = this.who.contactOf(incoming);
    if (isFault(subject)) return subject;
    const { contact, created, lacks } = subject;
    if (this.onlyRepeats(incoming, contact)) return this.answer(incoming, contact);
    contact.isReported = true;
    const report = this.withEmployer(withIds(incoming, created, this.world.newId), contact);
    if (!contact.isNew) this.needs.entities.add(contact.entity.id);
    this.who.give(contact, lacks);
    this.who.change(contact, report);
    const place = this.intake.learned.length;
    for (const draft of this.impliedBy(report, contact, created, lacks)) this.intake.learn(contact, draft);
    const entityId = contact.entity.id;
    if (created && contact.entity.type === "person")
      this.intake.events.push({
        type: "contact.created",
        entityId,
        observationId: this.intake.learned[place]?.id ?? null,
      });
    const { outcomes, believed, held } = this.intake.tell(contact, report, created);
    this.who.needEmployer(contact);
    const properties = new Set([STAGE, ...report.drafts.map(({ property }) => property)]);
    const recomputed = new Set<string>();
    for (const { kind, property } of this.intake.learned.slice(place))
      if (kind === "state" && properties.has(property) && contact.weighing.beliefOn(property) !== null)
        recomputed.add(property);
    return {
      entity: resolved(contact, created, lacks),
      at: this.at,
      outcomes,
      believed,
      recomputed: [...recomputed],
      held,
    };
  }

  /** Evidence that follows by itself: the source of a new person, what introduces them, and the employer of a new business e-mail. */
  private impliedBy(report: Report, contact: Contact, created: boolean, lacks: readonly Identifier[]): Draft[] {
    const { drafts, introduces = [], source = drafts[0]?.source ?? this.world.source } = report;
    const causedBy = created && report.introduces ? drafts[0]?.id : undefined;
    const caused = causedBy === undefined ? {} : { causedBy };
    const state = (property: string, value: string, method: Draft["method"] = "observed"): Draft => ({
      ...{ kind: "state", property, value, source, method, observedAt: null },
      ...caused,
    });
    const has = (property: string) => drafts.some((draft) => draft.property === property && draft.kind === "state");
    const origin = created && !has("source") ? [state("source", source)] : [];
    const introduction = created ? introduces.map((draft) => ({ ...draft, ...caused })) : [];
    const employer = has("works_at") ? null : this.employerOf(contact, lacks, source, causedBy);
    if (employer !== null) this.nameEmployer(drafts, lacks);
    return [...origin, ...(employer === null ? [] : [state("works_at", employer, "inferred")]), ...introduction];
  }

  /** Takes the report about the company that a person works for, and adds the evidence that they do. */
  private withEmployer({ employer, ...report }: Report, contact: Contact): Report {
    const about = employer && this.employerMeant(employer, contact);
    if (!about) return report;
    const result = this.takeBeside({ ...employer, about });
    if (isFault(result) || employer.terms === null) return report; // a fault: its identifiers contradict each other
    const value = result.entity.id;
    const works: Draft = { kind: "state", property: "works_at", value, method: "inferred", ...employer.terms };
    return { ...report, drafts: [works, ...report.drafts] };
  }

  /**
   * A company that is named by its name alone is the one that the person works for, if that is called so. Null: they work for
   * another, which stays, and no more than the name is said of this one.
   */
  private employerMeant({ about, drafts, terms }: EmployerReport, { entity, isNew }: Contact): About | null {
    const [named] = "named" in about ? about.named : [];
    if (named?.kind !== "name" || isNew) return about;
    this.needs.subjects.add(entity.id);
    const current = this.world.subjects.get(entity.id)?.employer;
    if (!current) return about;
    if (current.name !== null && normaliseCompanyName(current.name) === named.value) return { id: current.id };
    return terms?.onlyBlank && drafts.every(({ property }) => property === "name") ? null : about;
  }

  /** Gives the company of a person's business e-mail the company name in their report, if it has no name yet. */
  private nameEmployer(drafts: readonly Draft[], lacks: readonly Identifier[]): void {
    const company = drafts.find(({ property, kind }) => property === "company" && kind === "state");
    const domain = domainOf(lacks);
    if (typeof company?.value !== "string" || domain === null || companyDomain(company.value) === domain.value) return;
    if (this.who.find(domain)?.label.name !== null) return;
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
    this.takeBeside({ about: { named: [domain], type: "company", create: false }, drafts: [name] });
  }

  /** Takes a report about a company that another report names. */
  private takeBeside(report: Report): ReportResult | Fault {
    const { learned } = this.intake;
    this.intake.learned = this.ofEmployers;
    const result = this.take(report);
    this.intake.learned = learned;
    return result;
  }

  /** The company of a person's business e-mail; it is created when it is new. */
  private employerOf(contact: Contact, lacks: readonly Identifier[], source: string, causedBy?: string): string | null {
    if (contact.entity.type !== "person") return null;
    const domain = domainOf(lacks);
    if (domain === null) return null;
    const existing = this.who.find(domain);
    if (existing) {
      this.who.holdLabel(existing);
      return existing.entity.id;
    }
    const company = this.who.create("company", source);
    this.who.give(company, [domain]);
    const draft: Draft = {
      kind: "state",
      property: "source",
      value: source,
      source,
      method: "observed",
      observedAt: null,
    };
    this.ofEmployers.push(company.weighing.learn(causedBy === undefined ? draft : { ...draft, causedBy }));
    return company.entity.id;
  }

  private onlyRepeats(report: Report, contact: Contact): boolean {
    const { drafts } = report;
    return (
      drafts.length > 0 &&
      drafts.every((draft) => draft.kind === "event" && this.intake.repeatOf(report, contact, draft) !== null)
    );
  }

  /** The result of a report with nothing new in it. */
  private answer(report: Report, contact: Contact): ReportResult {
    const outcomes = report.drafts.map((draft) => this.intake.repeatOf(report, contact, draft) as DraftResult);
    return { entity: resolved(contact, false, []), at: this.at, outcomes, believed: [], recomputed: [], held: [] };
  }
}

/** The domain of the company that the first business e-mail among these names. */
function domainOf(identifiers: readonly Identifier[]): Identifier | null {
  const [value] = identifiers.flatMap(({ kind, value: email }) =>
    kind === "email" ? (companyDomainOf(email) ?? []) : [],
  );
  return value === undefined ? null : { kind: "domain", value };
}

/** Gives the first draft its id where other evidence refers to it as the cause. */
function withIds(report: Report, created: boolean, newId: () => string): Report {
  const [first, ...rest] = report.drafts;
  if (!created || !report.introduces || !first) return report;
  return { ...report, drafts: [{ ...first, id: first.id ?? newId() }, ...rest] };
}

const resolved = ({ entity }: Contact, created: boolean, attached: readonly Identifier[]): ResolvedEntity => ({
  ...entity,
  created,
  attached,
});
