import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { gatherer, oneByOne } from "#lib/core/gatherer.ts";
import type { Contract } from "#lib/core/operation.ts";
import type { Db } from "#lib/db/handle.ts";
import { isRefusal, withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";

/** How an operation answers simultaneous calls with as few statements as one call. */
export type Gathered<I extends z.ZodObject, O extends z.ZodType, Item, Seen> = {
  /** Reads what a call asks for; throws when the call must be refused. */
  itemOf(caller: Caller, input: z.output<I>): Item;
  /** True for an item that may have been recorded before: it is looked up, without a transaction, before it is run. */
  mayBeKnown(item: Item): boolean;
  look(db: Db, items: readonly Item[], caller: Caller): Promise<Seen[]>;
  /** The answer to a repeat; null: not a repeat, so it must be run. */
  answerOf(seen: Seen): z.output<O> | null;
  /**
   * Runs the items in one transaction and answers each in its place. `seen`: what was read about all of them, if it
   * was.
   */
  run(ctx: Ctx, items: readonly Item[], seen?: readonly Seen[]): Promise<(z.output<O> | Fault)[]>;
};

/** Enough for all calls that wait on a busy server; an answer waits for its whole group. */
const MOST = 64;
/** While one group waits for the disk, the next one is computed. */
const LANES = 2;

type Call<Item, Seen> = { caller: Caller; item: Item; seen: Seen | null };

/**
 * Answers calls in groups: repeats with one look-up per workspace, the rest with one transaction for everything a
 * caller sends at once. A group that the database refuses is run again one by one, so that no call fails because of
 * another.
 */
export function answerTogether<I extends z.ZodObject, O extends z.ZodType, Item, Seen>(
  { name: operation }: Contract<I, O>,
  { itemOf, mayBeKnown, look, answerOf, run }: Gathered<I, O, Item, Seen>,
): (caller: Caller, input: z.output<I>) => Promise<z.output<O>> {
  const see = gatherer<Call<Item, Seen>, Seen>({
    most: MOST,
    lanes: LANES,
    run: (calls) =>
      withWorkspace(
        callerOf(calls).workspaceId,
        (db) =>
          look(
            db,
            calls.map(({ item }) => item),
            callerOf(calls),
          ),
        { readOnly: true, operation },
      ) as Promise<(Seen | Error)[]>,
  });

  const once = (calls: readonly Call<Item, Seen>[]) => {
    const [{ caller }] = calls as [Call<Item, Seen>];
    const seen = calls.flatMap((call) => (call.seen === null ? [] : [call.seen]));
    const items = calls.map(({ item }) => item);
    const known = seen.length === calls.length ? seen : undefined;
    return withWorkspace(caller.workspaceId, (db) => run({ ...caller, db }, items, known), {
      operation,
      plansOnce: true,
    });
  };
  const write = gatherer<Call<Item, Seen>, z.output<O>>({
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

  return async (caller, input) => {
    const call: Call<Item, Seen> = { caller, item: itemOf(caller, input), seen: null };
    if (mayBeKnown(call.item)) {
      call.seen = await see(caller.workspaceId, call);
      const answer = answerOf(call.seen);
      if (answer) return answer;
    }
    const { actor, client, workspaceId } = caller;
    return write(`${workspaceId} ${actor.type}:${actor.id} ${client ?? ""}`, call);
  };
}

const callerOf = ([first]: readonly { caller: Caller }[]) => (first as { caller: Caller }).caller;

/** True when a transaction failed for certain: a refusal of ours, or of the database. */
const wroteNothing = (error: unknown): boolean => isFault(error) || isRefusal(error);
