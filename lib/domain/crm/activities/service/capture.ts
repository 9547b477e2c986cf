import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { parsePart } from "#lib/core/parse-input.ts";
import { repeatSeen, type Seen, seeReports } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import { sourceOf } from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { answerTogether } from "./gathered.ts";
import { type Captured, capturedOf, recordSignals, reportOf, type Signal } from "./signals.ts";

/**
 * Records a signal in the caller's transaction: the activity, the stage it moves, the contact's last activity, and the
 * contact itself when it is new. Its address may be any text. Null: there is no such contact (and none was to be
 * created, or the address is not valid). Throws 409 `identifier_conflict` when the address to attach belongs to another
 * contact.
 */
export async function captureSignal(ctx: Ctx, signal: Signal): Promise<Captured | null> {
  const [captured = null] = await captureSignals(ctx, [signal]);
  return captured;
}

/** Records many signals with as few statements as one; answers are in the order given. Throws like `captureSignal`. */
export async function captureSignals(ctx: Ctx, signals: readonly Signal[]): Promise<(Captured | null)[]> {
  const outcomes = await recordSignals(
    ctx,
    signals.map((signal) => ({ ...signal, email: signal.email ? normaliseEmail(signal.email) : null })),
  );
  return outcomes.map((outcome) => {
    if (isFault(outcome)) throw outcome;
    return outcome;
  });
}

export const capture = implement(
  contract.capture,
  async (ctx, input) => {
    const [answer = notFound()] = await answersTo(ctx, [signalOf(ctx, input)]);
    if (isFault(answer)) throw answer;
    return answer;
  },
  {
    alone: answerTogether(contract.capture, {
      itemOf: signalOf,
      mayBeKnown: ({ externalId }) => externalId !== undefined,
      look: (db, signals, caller) =>
        seeReports(
          db,
          signals.map((signal) => reportOf(caller, signal)),
        ),
      answerOf(seen) {
        const repeated = repeatSeen(seen);
        const answer = repeated && answerTo(capturedOf(repeated));
        return isFault(answer) ? null : answer;
      },
      run: answersTo,
    }),
  },
);

type Answer = z.output<typeof contract.capture.output>;

/** Records signals and answers each like a call of `capture`. */
async function answersTo(ctx: Ctx, signals: readonly Signal[], seen?: readonly Seen[]): Promise<(Answer | Fault)[]> {
  return (await recordSignals(ctx, signals, seen)).map(answerTo);
}

const notFound = (): Fault => new Fault("contact_not_found");

/** The answer to a call. Only people have a stage; for anyone else the answer is 404. */
function answerTo(outcome: Captured | Fault | null): Answer | Fault {
  if (isFault(outcome)) return outcome;
  if (!outcome?.stages) return notFound();
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

export const captureBatch = implement(contract.captureBatch, async (ctx, { activities }) => {
  const parsed = activities.map((raw) => attemptTo(() => signalOf(ctx, parsePart(contract.capture, raw))));
  const signals = parsed.filter((item): item is Signal => !isFault(item));
  const answers = await answersTo(ctx, signals);
  const answerOf = new Map(signals.map((signal, place) => [signal, answers[place]]));
  const results = parsed.map((item, index) =>
    resultOf(isFault(item) ? item : (answerOf.get(item) ?? notFound()), index),
  );
  const failed = results.filter(({ ok }) => !ok).length;
  const deduplicated = results.filter((result) => result.ok && result.deduplicated).length;
  return { ok: failed === 0, results, captured: results.length - failed - deduplicated, deduplicated, failed };
});

const resultOf = (answer: Answer | Fault, index: number) =>
  isFault(answer)
    ? { index, ok: false as const, error: answer.code, message: answer.message, ...answer.extras }
    : { index, ...answer };

/** Throws 400 `invalid_email`. */
function signalOf(caller: Caller, input: z.output<typeof contract.capture.input>): Signal {
  const { contact_id, type, source = sourceOf(caller), description, external_id, occurred_at, metadata } = input;
  const email = input.email === undefined ? null : normaliseEmail(input.email);
  if (email === null && input.email !== undefined) throw new Fault("invalid_email", { parameter: "email" });
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
