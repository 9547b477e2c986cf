import type { z } from "zod";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { gatherer, oneByOne } from "#lib/core/gatherer.ts";
import { isRefusal, withWorkspace } from "#lib/db/transaction.ts";
import { type ReportLookup, repeatSeen, seeReports } from "#lib/domain/crm/recording/service.ts";
import { capture } from "../contract.ts";
import { type Answer, answersTo, answerTo, capturedOf, reportOf, type Signal, signalOf } from "./signals.ts";

/** Enough for all calls that wait on a busy server; an answer waits for its whole group. */
const MOST = 64;
/** While one group waits for the disk, the next one is computed. */
const LANES = 2;

const operation = capture.name;

/** `seen`: what was read about it a moment ago. */
type Call = { caller: Caller; signal: Signal; seen: ReportLookup | null };

const callerOf = ([first]: readonly Call[]): Caller => (first as Call).caller;

/** Looks for what may have been recorded before, without a transaction that writes. */
const see = gatherer<Call, ReportLookup>({
  most: MOST,
  lanes: LANES,
  run: (calls) =>
    withWorkspace(
      callerOf(calls).workspaceId,
      (db) =>
        seeReports(
          db,
          calls.map(({ signal }) => reportOf(signal)),
        ),
      { readOnly: true, operation },
    ),
});

/** Records what a caller sends at once with one transaction. */
function once(calls: readonly Call[]) {
  const caller = callerOf(calls);
  const seen = calls.flatMap((call) => call.seen ?? []);
  const signals = calls.map(({ signal }) => signal);
  return withWorkspace(
    caller.workspaceId,
    (db) => answersTo({ ...caller, db }, signals, seen.length === calls.length ? seen : undefined),
    { operation, plansOnce: true },
  );
}

const write = gatherer<Call, Answer>({
  most: MOST,
  lanes: LANES,
  async run(calls) {
    try {
      return await once(calls);
    } catch (error) {
      if (calls.length === 1 || !wroteNothing(error)) throw error;
      return oneByOne(calls, once);
    }
  },
});

/** True when a transaction failed for certain: a refusal of ours, or of the database. */
const wroteNothing = (error: unknown): boolean => isFault(error) || isRefusal(error);

/**
 * Answers simultaneous calls of `capture` with as few statements as one: repeats with one look-up per workspace, the rest with one
 * transaction for each caller. A group that the database refuses is run again one by one, so that no call fails because of another.
 */
export async function captureTogether(caller: Caller, input: z.output<typeof capture.input>): Promise<Answer> {
  const call: Call = { caller, signal: signalOf(caller, input), seen: null };
  if (call.signal.externalId !== undefined) {
    call.seen = await see(caller.workspaceId, call);
    const repeated = repeatSeen(call.seen);
    const answer = repeated && answerTo(capturedOf(repeated));
    if (answer && !isFault(answer)) return answer;
  }
  const { client, workspaceId } = caller;
  return write(`${workspaceId} ${nameOfActor(caller)} ${client ?? ""}`, call);
}
