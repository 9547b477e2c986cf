import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import {
  type DraftResult,
  namesIn,
  type Report,
  type ReportLookup,
  type ReportResult,
  record,
  type Stage,
} from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import { type ActivityType, meetingStart, propertyOfActivity } from "#lib/domain/records/evidence/contract.ts";
import { type Method, sourceOf } from "#lib/domain/records/evidence/service.ts";
import type { capture } from "../contract.ts";

/** Something that happened with a contact, from any source. */
export type Signal = {
  /** the contact's address, normalised; with `contactId`, one to attach */
  email?: string | null | undefined;
  contactId?: string | undefined;
  /** the name of a contact that is created */
  name?: string | null | undefined;
  /** create a person for an address that no contact has yet */
  createContact: boolean;
  type: ActivityType;
  source: string;
  /** default: observed */
  method?: Method;
  /** the label on the timeline */
  description?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** the same contact, source and external id is one activity */
  externalId?: string | null | undefined;
  /** default: the moment it is recorded */
  occurredAt?: Date | null | undefined;
};

/** The result of a signal. */
export type SignalResult = {
  activityId: string;
  contactId: string;
  /** null: the contact is not a person */
  stages: { before: Stage; after: Stage } | null;
  /** it was recorded before; everything else is as in the first answer */
  deduplicated: boolean;
  createdContact: boolean;
};

export const capturedOf = ({ id, of, repeated, stages, introduces }: DraftResult): SignalResult => ({
  activityId: id,
  contactId: of,
  stages,
  deduplicated: repeated,
  createdContact: introduces,
});

/** A signal as it is recorded. */
export function reportOf(signal: Signal): Report {
  const { email, contactId, createContact, name = null, type, source, description, metadata } = signal;
  const { method = "observed", externalId } = signal;
  const property = propertyOfActivity(type);
  const occurredAt = signal.occurredAt ?? meetingStart(property, metadata);
  const named = email ? [{ kind: "email", value: email } as const] : [];
  return {
    about:
      contactId === undefined
        ? { named, type: "person", create: createContact }
        : { id: contactId, gets: named, only: ["person"] },
    introduces: Object.entries(name ? namesIn(name) : {}).map(([property, value]) => ({
      ...({ kind: "state", property, value, source, method: "observed", observedAt: null } as const),
    })),
    source,
    drafts: [
      {
        ...{ kind: "event", property, source, method, observedAt: occurredAt },
        value: { ...(description ? { description } : {}), ...(metadata ? { metadata } : {}) },
        ...(externalId ? { externalId } : {}),
      },
    ],
  };
}

/**
 * Records signals in the caller's transaction; outcomes are in the order given. Null: there is no such contact, and none was
 * to be created, or it names someone who was erased. `seen`: what was read about each a moment ago.
 */
export async function recordSignals(
  ctx: Ctx,
  signals: readonly Signal[],
  seen?: readonly ReportLookup[],
): Promise<(SignalResult | Fault | null)[]> {
  const results = await record(ctx, signals.map(reportOf), seen);
  return results.map((result) => (isFault(result) ? (isAbsent(result) ? null : result) : capturedIn(result)));
}

const isAbsent = ({ code }: Fault): boolean =>
  code === "entity_not_found" || code === "identifier_required" || code === "person_erased";

const capturedIn = ({ outcomes }: ReportResult): SignalResult => capturedOf((outcomes as [DraftResult])[0]);

/** What a call of `capture` says; throws 400 `invalid_email`. */
export function signalOf(caller: Caller, input: z.output<typeof capture.input>): Signal {
  const { contact_id, type, source = sourceOf(caller), description, external_id, occurred_at, metadata } = input;
  const email = input.email === undefined ? null : normaliseEmail(input.email);
  if (email === null && input.email !== undefined) throw new Fault("invalid_email", { parameter: "email" });
  const name = { email, contactId: contact_id, createContact: contact_id === undefined };
  return { ...name, type, source, description, externalId: external_id, occurredAt: occurred_at, metadata };
}

export type Answer = z.output<typeof capture.output>;

/** Records signals and answers each like a call of `capture`. `seen`: what was read about each a moment ago. */
export async function answersTo(
  ctx: Ctx,
  signals: readonly Signal[],
  seen?: readonly ReportLookup[],
): Promise<(Answer | Fault)[]> {
  return (await recordSignals(ctx, signals, seen)).map(answerTo);
}

/** The answer to a call. Only people have a stage; for anyone else the answer is 404. */
export function answerTo(outcome: SignalResult | Fault | null): Answer | Fault {
  if (isFault(outcome)) return outcome;
  if (!outcome?.stages) return new Fault("contact_not_found");
  return {
    ok: true,
    activity_id: outcome.activityId,
    contact_id: outcome.contactId,
    stage_before: outcome.stages.before,
    stage_after: outcome.stages.after,
    deduplicated: outcome.deduplicated,
    created_contact: outcome.createdContact,
  };
}
