import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { canonicalJson, JsonText } from "#lib/core/json.ts";
import type { Contract } from "#lib/core/operation.ts";
import type { Db } from "#lib/db/handle.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { type Answer, plain, replyOf } from "./answers.ts";
import { isWrite } from "./authority.ts";
import { Held } from "./holding.ts";
import { answerOnce, claimOnce, type KeptOnce, keepOnce, keptOnce, type Open, replayOf } from "./once.ts";
import { type Also, bind, type FileBytes, type Operation } from "./operation.ts";
import type { Ctx } from "./service-context.ts";

export type { Operation } from "./operation.ts";
export type { Ctx } from "./service-context.ts";

/**
 * A transaction that may be answered by a replica, one that reads on the primary, one that writes, and one that may delete
 * from append-only tables.
 */
type Transaction = "replica" | "primary" | "writing" | "erasing";

type Options<I extends z.ZodObject, O extends z.ZodType, Found> = {
  /** Default: `writing` where the contract says that it writes, and by any scope but `read`; else `replica`. */
  transaction?: Transaction | ((records: Found) => Transaction);
  /** Runs first; what it finds is the service's third argument, what it throws is the answer. It must change nothing. */
  before?(caller: Caller, input: z.output<I>): Promise<Found>;
  /**
   * Runs after the commit and completes the answer with what it waits for, which happens in any case. If it fails, the
   * service's answer is sent.
   */
  after?(caller: Caller, output: z.output<O>, input: z.output<I>, found: Found): Promise<z.output<O>>;
  /** Does what the service does in transactions of its own, for calls without an Idempotency-Key. */
  alone?(caller: Caller, input: z.output<I>): Promise<z.output<O>>;
  also?: Also<I>;
};

/**
 * Binds a service to its contract. Rights, plan, approval, parsing and the transaction happen here, once, for every
 * transport. `before` and `after` are where an operation may wait for outside systems.
 */
export function implement<I extends z.ZodObject, O extends z.ZodType, Found = undefined>(
  contract: Contract<I, O>,
  service: (ctx: Ctx, input: z.output<I>, records: Found) => Promise<z.output<O> | JsonText<z.output<O>>>,
  { transaction, before, after, alone, also }: Options<I, O, Found> = {},
): Operation<I, O> {
  const operation = contract.name;
  const writing: Open = (id, work) => withWorkspace(id, work, { operation });
  const opens: Readonly<Record<Transaction, Open>> = {
    replica: (id, work) => withWorkspace(id, work, { readOnly: true, mayLag: true, operation }),
    primary: (id, work) => withWorkspace(id, work, { readOnly: true, operation }),
    writing,
    erasing: (id, work) => withErasure(id, work, { operation }),
  };
  const kindOf = (input: z.output<I>, records: Found): Transaction => {
    const own = typeof transaction === "function" ? transaction(records) : transaction;
    return own ?? (contract.scope !== "read" || isWrite(contract, input) ? "writing" : "replica");
  };
  const find = async (caller: Caller, input: z.output<I>) => (await before?.(caller, input)) as Found;
  const complete = (caller: Caller, output: z.output<O>, input: z.output<I>, records: Found) =>
    after?.(caller, output, input, records).catch(() => output);

  return bind(contract, {
    also,
    async run(caller, input, once): Promise<Answer<z.output<O>>> {
      if (alone && !once) return { output: await alone(caller, input), reply: null };
      // A request that was answered before must not wait for outside systems again.
      const kept = before && once && (await writing(caller.workspaceId, (db) => claimOnce(db, caller, once)));
      if (kept) return { output: null, reply: kept };
      const subject = await find(caller, input);
      const kind = kindOf(input, subject);
      const work = (db: Db) => service({ ...caller, db }, input, subject);
      const answer: Answer<z.output<O>> = once
        ? await answerOnce(contract, work, kind === "erasing" ? opens.erasing : writing, caller, once)
        : { output: await opens[kind](caller.workspaceId, work), reply: null };
      const { output } = answer;
      if (!after || output === null || output instanceof JsonText || output instanceof Held) return answer;
      const completed = await complete(caller, output, input, subject);
      if (once) {
        const { status, body } = replyOf(contract, completed);
        await writing(caller.workspaceId, (db) => keepOnce(db, contract, caller, once, status, body));
      }
      return { output: completed as z.output<O>, reply: null };
    },
    async prepare(caller, input) {
      const subject = await find(caller, input);
      return {
        erases: kindOf(input, subject) === "erasing",
        run: async (db) => plain(await service({ ...caller, db }, input, subject)),
        ...(after ? { complete: async (output) => complete(caller, output as z.output<O>, input, subject) } : {}),
      };
    },
  });
}

/**
 * Binds work that runs in transactions of its own. When a person has approved it, it runs while the decision is locked, and is
 * run again if the process dies in between. `file`: given in place of its field. An Idempotency-Key counts where the work uses
 * `once`.
 */
export const implementAlone = <I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  work: (
    caller: Caller,
    input: z.output<I>,
    given?: { file?: FileBytes | undefined; once?: KeptOnce<z.output<O>> | null },
  ) => Promise<z.output<O>>,
): Operation<I, O> =>
  bind(contract, {
    run(caller, input, once, file) {
      const kept = once && keptOnce<z.output<O>>(contract, caller, once, file ? [canonicalJson(input)] : []);
      return work(caller, input, { file, once: kept }).then(
        (output): Answer<z.output<O>> => ({ output, reply: null }),
        (error: unknown): Answer<z.output<O>> => ({ output: null, reply: replayOf(error) }),
      );
    },
    prepare: async (caller, input) => ({ erases: false, run: () => work(caller, input) }),
  });
