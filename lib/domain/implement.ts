import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json-text.ts";
import type { Contract } from "#lib/core/operation.ts";
import { scopeIncludes } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { type Answer, plain, replyOf } from "./answers.ts";
import { accept } from "./authority.ts";
import { Held } from "./holding.ts";
import { answerOnce, claimOnce, keepOnce, type Once, type Open } from "./once.ts";
import { callsOf, keepUntilApproved, known, type Operation } from "./operation.ts";
import type { Ctx } from "./service-context.ts";

export type { Operation } from "./operation.ts";
export type { Ctx } from "./service-context.ts";

/** What an operation does around its transaction, where it may wait for outside systems. */
export type Around<I extends z.ZodObject, O extends z.ZodType, Found> = {
  /** Runs first; what it finds is the service's third argument, what it throws is the answer. It must change nothing. */
  before?(caller: Caller, input: z.output<I>): Promise<Found>;
  /**
   * Runs after the commit and completes the answer with what it waits for, which happens in any case. If it fails, the
   * service's answer is sent.
   */
  after?(caller: Caller, output: z.output<O>, input: z.output<I>, found: Found): Promise<z.output<O>>;
};

/**
 * Binds a service to its contract. Scope, plan, approval, parsing and the transaction happen here, once, for every
 * transport. An operation of scope `read` runs read-only, and any other writes. `writes`: with which inputs it writes; an
 * operation of scope `read` then needs the scope `write`. `writes: "index"`: what it writes is no
 * change of what is recorded: an index brought up to date before it reads, a file that is made of it. `erases`: the transaction may delete from append-only tables. `mayLag: false`: never answered by a replica.
 * `grouped` does what the service does, for calls without an Idempotency-Key, in transactions of its own.
 */
export function implement<I extends z.ZodObject, O extends z.ZodType, Found = undefined>(
  contract: Contract<I, O>,
  service: (ctx: Ctx, input: z.output<I>, found: Found) => Promise<z.output<O> | JsonText<z.output<O>>>,
  {
    erases = false,
    writes = contract.scope !== "read",
    mayLag = true,
    grouped,
    before,
    after,
  }: {
    erases?: boolean | ((found: Found) => boolean);
    writes?: boolean | "index" | ((input: z.output<I>) => boolean);
    mayLag?: boolean;
    grouped?: (caller: Caller, input: z.output<I>) => Promise<z.output<O>>;
  } & Around<I, O, Found> = {},
): Operation<I, O> {
  const operation = contract.name;
  const writing: Open = (id, work) => withWorkspace(id, work, { operation });
  const erasing: Open = (id, work) => withErasure(id, work, { operation });
  const reading: Open = (id, work) => withWorkspace(id, work, { readOnly: true, mayLag, operation });
  const mayErase = (found: Found): boolean => (typeof erases === "function" ? erases(found) : erases);
  const isWrite = (input: z.output<I>): boolean => (typeof writes === "function" ? writes(input) : writes === true);
  const openFor = (input: z.output<I>, found: Found): Open =>
    mayErase(found) ? erasing : contract.scope !== "read" || writes === "index" || isWrite(input) ? writing : reading;

  /** The checks before anything is done. */
  const check = (caller: Caller, raw: unknown): z.output<I> => {
    const input = accept(contract, caller, raw);
    if (isWrite(input) && !scopeIncludes(caller.scopes, "write"))
      throw new Fault("insufficient_scope", { required_scope: "write" });
    return input;
  };

  const run = async (caller: Caller, raw: unknown, once: Once | null): Promise<Answer<z.output<O>>> => {
    const input = check(caller, raw);
    if (caller.approval === "writes" && isWrite(input)) return keepUntilApproved(contract, caller, raw, once);
    if (grouped && !once) return { output: await grouped(caller, input), reply: null };
    // A request that was answered before must not wait for outside systems again.
    const kept = before && once && (await writing(caller.workspaceId, (db) => claimOnce(db, caller, once)));
    if (kept) return { output: null, reply: kept };
    const found = (before && (await before(caller, input))) as Found;
    const work = (db: Db) => service({ ...caller, db }, input, found);
    const answer: Answer<z.output<O>> = once
      ? await answerOnce(contract, work, mayErase(found) ? erasing : writing, caller, once)
      : { output: await openFor(input, found)(caller.workspaceId, work), reply: null };
    const { output, reply } = answer;
    if (!after || output === null || output instanceof JsonText || output instanceof Held) return answer;
    const completed = await after(caller, output, input, found).catch(() => output);
    if (!reply || !once) return { output: completed, reply: null };
    const completeReply = replyOf(contract, completed);
    await writing(caller.workspaceId, (db) =>
      keepOnce(db, contract, caller, once, completeReply.status, completeReply.body),
    );
    return { output: completed, reply: completeReply };
  };

  return known({
    contract,
    ...callsOf(contract, run),
    async prepare(caller, raw) {
      const input = check(caller, raw);
      const found = (before && (await before(caller, input))) as Found;
      return {
        erases: mayErase(found),
        run: async (db) => plain(await service({ ...caller, db }, input, found)),
        ...(after
          ? {
              complete: (output) =>
                after(caller, output as z.output<O>, input, found).catch(() => output as z.output<O>),
            }
          : {}),
      };
    },
  });
}
