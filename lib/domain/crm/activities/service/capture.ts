import { type Fault, isFault } from "#lib/core/errors.ts";
import { parsePart } from "#lib/core/parse-input.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import * as contract from "../contract.ts";
import { captureTogether } from "./gathered.ts";
import { type Answer, answersTo, recordSignals, type Signal, type SignalResult, signalOf } from "./signals.ts";

/**
 * Records signals in the caller's transaction, many with as few statements as one: the activity, the stage it moves, the
 * contact's last activity, and the contact itself when it is new. Its address may be any text. Answers are in the order given;
 * null: there is no such contact (and none was to be created, or the address is not valid). Throws 409 `identifier_conflict`
 * when the address to attach belongs to another contact.
 */
export async function captureSignals(ctx: Ctx, signals: readonly Signal[]): Promise<(SignalResult | null)[]> {
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
    const [answer] = await answersTo(ctx, [signalOf(ctx, input)]);
    if (isFault(answer)) throw answer;
    return answer as Answer;
  },
  { alone: captureTogether },
);

export const captureBatch = implement(contract.captureBatch, async (ctx, { activities }) => {
  const parsed = activities.map((raw) => attemptTo(() => signalOf(ctx, parsePart(contract.capture, raw))));
  const signals = parsed.filter((item): item is Signal => !isFault(item));
  const answers = await answersTo(ctx, signals);
  const next = answers.values();
  const results = parsed.map((item, index) =>
    resultOf(isFault(item) ? item : (next.next().value as Answer | Fault), index),
  );
  const failed = results.filter(({ ok }) => !ok).length;
  const deduplicated = results.filter((result) => result.ok && result.deduplicated).length;
  return { ok: failed === 0, results, captured: results.length - failed - deduplicated, deduplicated, failed };
});

const resultOf = (answer: Answer | Fault, index: number) =>
  isFault(answer)
    ? { index, ok: false as const, error: answer.code, message: answer.message, ...answer.extras }
    : { index, ...answer };

/** What `work` returns, or the fault it throws. */
function attemptTo<T>(work: () => T): T | Fault {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}
