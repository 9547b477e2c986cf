import { newId } from "#lib/core/ids.ts";
import { type ActivityType, ownEvents, propertyOfActivity } from "#lib/domain/evidence/contract.ts";
import type { Method, NewEvidence } from "#lib/domain/evidence/service.ts";
import { type LeadNews, saidByActivity } from "#lib/domain/leads/service.ts";
import type { NewEvent } from "#lib/domain/outbox/service.ts";
import { type Newcomer, type Stage, stageAdvanced, stageMove } from "#lib/domain/people/service.ts";
import { eventIn, type StageRules, stageAfter } from "#lib/domain/stages/service.ts";
import type { ContactRow } from "../queries.ts";

/** Something that happened with a contact, from any source. */
export type Signal = {
  /** the contact's address, normalised; with `contactId`, one to attach */
  email?: string | null | undefined;
  contactId?: string | undefined;
  /** the name of a contact that is created */
  name?: string | null | undefined;
  /** create a person for an address that no contact has yet */
  createContact: boolean;
  /** may also be about a company; otherwise only about people */
  orCompany?: boolean;
  type: ActivityType;
  source: string;
  /** default: observed */
  method?: Method;
  /** the label on the timeline */
  description?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** what is recorded about it; default: `description` and `metadata` */
  value?: unknown;
  /** the same contact, source and external id is one activity */
  externalId?: string | null | undefined;
  /** default: the moment it is recorded */
  occurredAt?: Date | null | undefined;
};

/** The result of a signal. */
export type Captured = {
  activityId: string;
  contactId: string;
  /** null: the contact is not a person */
  stages: { before: Stage; after: Stage } | null;
  /** it was recorded before; everything else is as in the first answer */
  deduplicated: boolean;
  createdContact: boolean;
};

/** The answer to a signal that was recorded before, from its contact's row; null: it was not. */
export function repeatOf({ known, type, stage }: ContactRow): Captured | null {
  if (!known) return null;
  const { id, of, before, after } = known;
  const now = type === "person" ? (stage ?? "identified") : null;
  const end = after ?? now;
  return {
    activityId: id,
    contactId: of,
    stages: end && { before: before ?? (after === null ? end : "identified"), after: end },
    deduplicated: true,
    createdContact: before === null && after !== null,
  };
}

/** The state of a contact while signals are entered one after the other. */
export type ContactState = {
  id: string;
  absorbed: readonly string[];
  isLead: boolean;
  stage: Stage | null;
  moved: boolean;
  /** null: nothing of theirs happened */
  activityAt: Date | null;
  newcomer: Newcomer | null;
};

/** Takes signals one after the other, each building on those before it, and collects what must be written for them. */
export class Ledger {
  readonly rules: StageRules;
  readonly at: Date;
  /** in the order they were learned */
  readonly evidence: NewEvidence[] = [];
  readonly events: NewEvent[] = [];
  /** what signals say about people who may be leads */
  readonly leadNews: LeadNews[] = [];
  private readonly contacts = new Map<string, ContactState>();
  /** ids of the people to create, by address */
  private readonly newcomers = new Map<string, string>();
  /** the result of the first signal of each (contact, source, external id) */
  private readonly first = new Map<string, Captured>();

  constructor(rules: StageRules, at: Date) {
    this.rules = rules;
    this.at = at;
  }

  get states(): ContactState[] {
    return [...this.contacts.values()];
  }

  /** Works out the result of a signal; null: there is no such contact, and none is to be created. */
  enter(signal: Signal, row: ContactRow): Captured | null {
    const repeated = repeatOf(row);
    if (repeated) return repeated;
    const id = newId();
    const known = this.knownContact(signal, row);
    const contact = known ?? this.newContact(id, signal, row);
    if (contact === null) return null;
    const { externalId = null, source } = signal;
    const key = externalId === null ? null : `${contact.id} ${source}\n${externalId}`;
    const earlier = key === null ? undefined : this.first.get(key);
    if (earlier) return { ...earlier, deduplicated: true };
    const captured = this.take(id, signal, contact, known === null);
    if (key !== null) this.first.set(key, captured);
    return captured;
  }

  private knownContact(signal: Signal, row: ContactRow): ContactState | null {
    const id = row.id ?? this.newcomers.get(signal.email ?? "");
    if (id === undefined || row.type === "workspace" || (row.type === "company" && !signal.orCompany)) return null;
    return (
      this.contacts.get(id) ?? {
        id,
        absorbed: row.absorbed ?? [],
        isLead: row.isLead === true,
        stage: row.type === "person" ? (row.stage ?? "identified") : null,
        moved: false,
        activityAt: this.happenedBy(signal),
        newcomer: null,
      }
    );
  }

  private newContact(causedBy: string, signal: Signal, row: ContactRow): ContactState | null {
    const { email, contactId, createContact, source, name = null } = signal;
    if (row.id !== null || !email || contactId !== undefined || !createContact) return null;
    const id = newId();
    const activityAt = this.happenedBy(signal);
    const newcomer: Newcomer = { id, email, name, source, causedBy, stage: "identified", activityAt };
    this.newcomers.set(email, id);
    return { id, absorbed: [], isLead: false, stage: "identified", moved: false, activityAt, newcomer };
  }

  /** Enters what a signal says about a contact: the activity, and the stage it moves. */
  private take(id: string, signal: Signal, contact: ContactState, created: boolean): Captured {
    const stages = this.stagesOf(signal, contact.stage);
    this.evidence.push(this.evidenceOf(id, signal, contact.id, created ? { ...stages, before: null } : stages));
    this.events.push({ type: `activity.${signal.type}`, entityId: contact.id, observationId: id });
    const says = contact.isLead ? saidByActivity(signal.type) : null;
    if (says !== null)
      this.leadNews.push({ entityId: contact.id, observationId: id, says, at: signal.occurredAt ?? this.at });
    const moves = stages !== null && stages.before !== stages.after;
    if (moves) {
      const move = stageMove(this.at, contact.id, signal.source, id, stages.after);
      this.evidence.push(move);
      this.events.push(stageAdvanced(contact.id, move.id, stages.before, stages.after, id));
    }
    this.contacts.set(contact.id, {
      ...contact,
      stage: stages?.after ?? null,
      moved: contact.moved || moves,
      activityAt: latest(contact.activityAt, this.happenedBy(signal)),
    });
    return { activityId: id, contactId: contact.id, stages, deduplicated: false, createdContact: created };
  }

  private stagesOf({ type, value, metadata, occurredAt }: Signal, before: Stage | null): Captured["stages"] {
    if (before === null) return null;
    const event = eventIn(value === undefined ? { metadata } : value);
    const activity = { type, event, occurredAt: occurredAt ?? this.at, recordedAt: this.at };
    return { before, after: stageAfter(this.rules, before, activity) };
  }

  private evidenceOf(
    id: string,
    { type, value, description, metadata, source, method = "observed", occurredAt, externalId = null }: Signal,
    entityId: string,
    stages: { before?: Stage | null; after?: Stage | null } | null,
  ): NewEvidence {
    return {
      id,
      entityId,
      kind: "event",
      property: propertyOfActivity(type),
      value:
        value === undefined ? { ...(description ? { description } : {}), ...(metadata ? { metadata } : {}) } : value,
      source,
      method,
      observedAt: occurredAt ?? this.at,
      recordedAt: this.at,
      externalId,
      causedBy: null,
      stageBefore: stages?.before ?? null,
      stageAfter: stages?.after ?? null,
    };
  }

  /** When it had happened at the latest: a meeting to come counts as of now, and a note of ours is no activity. */
  private happenedBy({ type, occurredAt }: Signal): Date | null {
    if (ownEvents.includes(propertyOfActivity(type))) return null;
    return occurredAt && occurredAt < this.at ? occurredAt : this.at;
  }
}

const latest = (a: Date | null, b: Date | null): Date | null => (a !== null && (b === null || a > b) ? a : b);
