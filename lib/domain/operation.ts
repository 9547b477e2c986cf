import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import type { Contract } from "#lib/core/operation.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Answer, plain, type Reply, replyOf } from "./answers.ts";
import { accept } from "./authority.ts";
import { Held, hold, type Waiting } from "./holding.ts";
import { answerOnce, type Once, type Open } from "./once.ts";

export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  contract: Contract<I, O>;
  /** Checks authority and input, then runs the service in one transaction. For callers whose writes need no approval. */
  execute(caller: Caller, raw: unknown): Promise<z.output<O>>;
  /** Like `execute`; for a write that needs approval, what waits. */
  call(caller: Caller, raw: unknown): Promise<{ output: z.output<O> } | { waiting: Waiting }>;
  /** Like `call`, but returns the answer as JSON, and answers a repeated request (`once`) with the first answer. */
  reply(caller: Caller, raw: unknown, once?: Once | null): Promise<Reply>;
  /**
   * Like `reply`, with a file that is read as it arrives in place of the contract's `upload.field`; only where the contract
   * has one.
   */
  receive?(caller: Caller, raw: Record<string, unknown>, file: FileGiven, once?: Once | null): Promise<Reply>;
  /** Its answer as a file, when the input asks for one; only where the operation can. */
  download?(caller: Caller, raw: unknown): Promise<Download | null>;
  /** Checks a call that was kept until a person approved it, and does what comes before its transaction. */
  prepare(caller: Caller, raw: unknown): Promise<Prepared>;
  /** Gives the same as events, for as long as they are taken; only where the operation can. */
  follow?(caller: Caller, raw: unknown, from: From): Promise<AsyncIterable<readonly StreamEvent[]>>;
};

/** A file that is made while it is sent. */
export type Download = { fileName: string; type: string; lines: AsyncIterable<string> };

/** The bytes of a file, in pieces, as they arrive. */
export type FileGiven = AsyncIterable<Buffer> | Iterable<Buffer>;

/** A call that is ready to be run in a transaction of someone else's. */
export type Prepared = {
  /** The transaction must be one that may delete from append-only tables. */
  erases: boolean;
  /** Runs the service and gives its output. */
  run(db: Db): Promise<unknown>;
  /** To be called after the commit: completes the output with what it waits for. Absent: it is complete. */
  complete?(output: unknown): Promise<unknown>;
};

/** One event of a stream. `id` says how far its reader is. */
export type StreamEvent = { event: string; id: string; data: unknown };

/** Where a stream begins: behind the event with this id. Ends when `signal` does. */
export type From = { lastEventId: string | null; signal: AbortSignal };

/** An operation that can also give its answer as a file; `open` gives null when the input asks for none. */
export const withDownload = <I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  open: (caller: Caller, input: z.output<I>) => Promise<Download | null>,
): Operation<I, O> =>
  known({
    ...operation,
    async download(caller, raw) {
      return open(caller, accept(operation.contract, caller, raw));
    },
  });

/** The ways to call an operation that `run` runs. */
export function callsOf<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  run: (caller: Caller, raw: unknown, once: Once | null) => Promise<Answer<z.output<O>>>,
): Pick<Operation<I, O>, "execute" | "call" | "reply"> {
  return {
    async execute(caller, raw) {
      const { output } = await run(caller, raw, null);
      if (output instanceof Held) throw new Error(`${contract.name} waits for approval: use call or reply`);
      return plain(output as z.output<O>);
    },
    async call(caller, raw) {
      const { output } = await run(caller, raw, null);
      return output instanceof Held ? { waiting: output.waiting } : { output: plain(output as z.output<O>) };
    },
    async reply(caller, raw, once = null) {
      const { output, reply } = await run(caller, raw, once);
      return reply ?? replyOf(contract, output);
    },
  };
}

/** Enters an operation in the list of those of this process. */
export function known<I extends z.ZodObject, O extends z.ZodType>(bound: Operation<I, O>): Operation<I, O> {
  operations.set(bound.contract.name, bound as unknown as Operation);
  return bound;
}

/** Every operation that was bound in this process, by name. */
const operations = new Map<string, Operation>();

/** The operation of that name, once its slice is loaded. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name);

/** Keeps a call that was checked until a person approves it. */
export async function keepUntilApproved<O>(
  contract: Contract,
  caller: Caller,
  raw: unknown,
  once: Once | null,
): Promise<Answer<O>> {
  const open: Open = (id, work) => withWorkspace(id, work, { operation: contract.name });
  const work = (db: Db) => hold({ ...caller, db }, contract, raw);
  if (once) return answerOnce<O>(contract, work, open, caller, once);
  return { output: await open(caller.workspaceId, work), reply: null };
}
