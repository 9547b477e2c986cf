import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { parseInput } from "#lib/core/operation.ts";
import { normaliseEmail } from "#lib/domain/entities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { ActivityType } from "#lib/domain/observations/contract.ts";
import { sourceOf } from "#lib/domain/observations/service.ts";
import type { Stage } from "#lib/domain/people/service.ts";
import * as contract from "../contract.ts";
import { type ContactRow, readContacts } from "../queries.ts";
import { answerTogether } from "./gathered.ts";
import { type Activity, type Outcome, recordActivities, repeatOf } from "./record.ts";

/** Something that happened with a contact, as a webhook, a backfill or a capture knows it. */
export type CapturedSignal = {
  /** the contact's address; with `contactId`, one to attach */
  email?: string | undefined;
  contactId?: string | undefined;
  /** what a contact that is created is called */
  name?: string | null | undefined;
  type: ActivityType;
  source: string;
  /** the label on the timeline */
  description?: string | null | undefined;
  /** the same contact, source and external id is one activity */
  externalId?: string | undefined;
  /** default: the moment it is recorded */
  occurredAt?: Date | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** make a contact of an address nobody has yet */
  createContact: boolean;
};

export type Captured = {
  activityId: string;
  contactId: string;
  stageBefore: Stage;
  stageAfter: Stage;
  /** it was known; everything else is as the first time */
  deduplicated: boolean;
  createdContact: boolean;
};

/**
 * Records a signal in the caller's transaction: the activity, the stage it moves, the contact's last activity, and the
 * contact itself when it is new. Null: nobody of that name is a contact (and none was to be created, or the address is
 * none). Throws 409 `identifier_conflict` when the address to attach is another's.
 */
export async function captureSignal(ctx: Ctx, signal: CapturedSignal): Promise<Captured | null> {
  const [captured = null] = await captureSignals(ctx, [signal]);
  return captured;
}

/** Records many signals with as few statements as one; the answers stand in the order given. Throws as `captureSignal`. */
export async function captureSignals(ctx: Ctx, signals: readonly CapturedSignal[]): Promise<(Captured | null)[]> {
  const outcomes = await recordSignals(ctx, signals);
  return outcomes.map((outcome) => {
    if (isFault(outcome)) throw outcome;
    return outcome;
  });
}

export const capture = implement(
  contract.capture,
  async (ctx, input) => {
    const [outcome] = await answersTo(ctx, [activityOfSignal(signalOf(ctx, input))], null);
    if (isFault(outcome)) throw outcome;
    return outcome as z.output<typeof contract.capture.output>;
  },
  {
    grouped: answerTogether(contract.capture, {
      itemOf: (caller, input) => activityOfSignal(signalOf(caller, input)),
      mayBeKnown: ({ externalId }) => externalId !== null,
      look: readContacts,
      answerOf(row) {
        const repeated = repeatOf(row);
        return repeated?.stageAfter ? answerTo(repeated as Captured) : null;
      },
      run: answersTo,
    }),
  },
);

/** Records activities and answers each as a call of `capture`. */
async function answersTo(ctx: Ctx, activities: readonly Activity[], seen: readonly ContactRow[] | null) {
  const outcomes = await recordActivities(ctx, activities, seen);
  return outcomes.map((outcome) => {
    if (isFault(outcome)) return outcome;
    return outcome ? answerTo(outcome as Captured) : new Fault("contact_not_found");
  });
}

const answerTo = (captured: Captured) => ({ ok: true as const, ...viewOf(captured) });

export const captureBatch = implement(contract.captureBatch, async (ctx, { activities }) => {
  const parsed = activities.map((raw) => attemptTo(() => signalOf(ctx, parseInput(contract.capture, raw))));
  const signals = parsed.filter((item): item is CapturedSignal => !isFault(item));
  const outcomes = signals.length > 0 ? await recordSignals(ctx, signals) : [];
  const outcomeOf = new Map(
    signals.map((signal, place) => [signal, outcomes[place] ?? new Fault("contact_not_found")]),
  );
  const results = parsed.map((item, index) =>
    resultOf(isFault(item) ? item : (outcomeOf.get(item) as Captured), index),
  );
  const failed = results.filter(({ ok }) => !ok).length;
  const deduplicated = results.filter((result) => result.ok && result.deduplicated).length;
  return { ok: failed === 0, results, captured: results.length - failed - deduplicated, deduplicated, failed };
});

/** Throws 400 `invalid_email`. */
function signalOf(ctx: Caller, input: z.output<typeof contract.capture.input>): CapturedSignal {
  const { email, contact_id, type, source = sourceOf(ctx), description, external_id, occurred_at, metadata } = input;
  if (email !== undefined && normaliseEmail(email) === null) throw new Fault("invalid_email", { parameter: "email" });
  const name = { email, contactId: contact_id, createContact: contact_id === undefined };
  return { ...name, type, source, description, externalId: external_id, occurredAt: occurred_at, metadata };
}

/** What `work` returns, or the fault it throws. */
function attemptTo<T>(work: () => T): T | Fault {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}

const viewOf = (captured: Captured) => ({
  activity_id: captured.activityId,
  contact_id: captured.contactId,
  stage_before: captured.stageBefore,
  stage_after: captured.stageAfter,
  deduplicated: captured.deduplicated,
  created_contact: captured.createdContact,
});

const resultOf = (outcome: Captured | Fault, index: number) =>
  isFault(outcome)
    ? { index, ok: false as const, error: outcome.code, message: outcome.message, ...outcome.extras }
    : { index, ok: true as const, ...viewOf(outcome) };

/** As `captureSignals`, but what is refused is answered in its place. */
const recordSignals = async (ctx: Ctx, signals: readonly CapturedSignal[]): Promise<(Captured | Fault | null)[]> =>
  (await recordActivities(ctx, signals.map(activityOfSignal))).map(capturedOf);

function activityOfSignal(signal: CapturedSignal): Activity {
  const { description, metadata, type, source, externalId = null, occurredAt = null } = signal;
  const email = signal.email === undefined ? null : normaliseEmail(signal.email);
  return {
    contactId: signal.contactId ?? null,
    email,
    ofPerson: true,
    create: signal.createContact ? { name: signal.name ?? null } : null,
    type,
    value: { ...(description ? { description } : {}), ...(metadata ? { metadata } : {}) },
    source,
    method: "observed",
    externalId,
    occurredAt,
  };
}

/** Signals are about people, who stand somewhere. */
const capturedOf = (outcome: Outcome): Captured | Fault | null => outcome as Captured | Fault | null;
