import { Buffer } from "node:buffer";
import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isBrokenText, type JsonText } from "#lib/core/json.ts";
import type { Limits } from "#lib/core/limits.ts";
import { bodyLimit, type Contract } from "#lib/core/operation.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Answer, plain, type Reply, replyOf } from "./answers.ts";
import { accept, authorize, needsApproval } from "./authority.ts";
import { textWithoutHidden, withoutHidden } from "./hidden-fields.ts";
import { Held, hold, LeftToPerson, type Waiting } from "./holding.ts";
import { answerOnce, type Once, type Open } from "./once.ts";

/** What a caller whose rights were checked may do with an operation, for one request. */
export type Calls<O extends z.ZodType = z.ZodType> = {
  /** Checks the input, then does it. For callers whose writes need no approval. */
  execute(raw: unknown): Promise<z.output<O>>;
  /** Like `execute`; for a write that needs approval, what waits. */
  call(raw: unknown): Promise<{ output: z.output<O> } | { waiting: Waiting }>;
  /**
   * Like `call`, but returns the answer as JSON, and answers a repeated request (`once`) with the first answer. `file`: in
   * place of the field that the contract's body has for it, read as it arrives.
   */
  reply(raw: unknown, once?: Once | null, file?: FileBytes): Promise<Reply>;
  /** Its answer as a file or as events, when the caller asks for one; else null. */
  stream(raw: unknown, from: From | null): Promise<Stream | null>;
};

export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  contract: Contract<I, O>;
  /** The one check of rights: throws 402 or 403. Transports ask before they read the body. */
  allow(caller: Caller): Calls<O>;
  /** As those of `Calls`, with the check of rights. */
  execute(caller: Caller, raw: unknown): ReturnType<Calls<O>["execute"]>;
  call(caller: Caller, raw: unknown): ReturnType<Calls<O>["call"]>;
  reply(caller: Caller, raw: unknown, once?: Once | null): Promise<Reply>;
  /** Checks a call that was kept until a person approved it, and does what comes before its transaction. */
  prepare(caller: Caller, raw: unknown): Promise<PreparedCall>;
  /** Other forms of its answer. */
  also?: Also<I> | undefined;
};

/** Forms of an answer that are not JSON. */
export type Also<I extends z.ZodObject> = {
  /** Null: the input asks for no file. */
  file?(caller: Caller, input: z.output<I>): Promise<Download | null>;
  /** The same as events, for as long as they are taken. */
  events?(caller: Caller, input: z.output<I>, from: From): Promise<Events>;
};

/** A file that is made while it is sent. */
export type Download = { fileName: string; type: string; lines: AsyncIterable<string> };

/** One event of a stream. `id` says how far its reader is. */
export type StreamEvent = { event: string; id: string; data: unknown };
type Events = AsyncIterable<readonly StreamEvent[]>;

type Stream = { file: Download } | { events: Events };

/** Where a stream begins: behind the event with this id. Ends when `signal` does. */
export type From = { lastEventId: string | null; signal: AbortSignal };

/** The bytes of a file, in pieces, as they arrive. */
export type FileBytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** A call that is ready to be run in a transaction of someone else's. */
export type PreparedCall = {
  /** The transaction must be one that may delete from append-only tables. */
  erases: boolean;
  /** Runs the service and gives its output. */
  run(db: Db): Promise<unknown>;
  /** To be called after the commit: completes the output with what it waits for. Absent: it is complete. */
  complete?(output: unknown): Promise<unknown>;
};

/** How an operation is done, once rights, input and approval are settled. */
type Work<I extends z.ZodObject, O extends z.ZodType> = {
  run(caller: Caller, input: z.output<I>, once: Once | null, file?: FileBytes): Promise<Answer<z.output<O>>>;
  prepare(caller: Caller, input: z.output<I>): Promise<PreparedCall>;
  also?: Also<I> | undefined;
};

/** Every operation that was bound in this process, by name. */
const operations = new Map<string, Operation>();

/** The operation of that name, once its slice is loaded. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name);

/** What is the same for all operations of a workspace: rights, input, approval, forms of the answer. */
export function bind<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  { run, prepare, also }: Work<I, O>,
): Operation<I, O> {
  const callsOf = (caller: Caller): Calls<O> => {
    const { limits } = caller;
    const shown = (output: z.output<O> | JsonText<z.output<O>> | null): z.output<O> => {
      const whole = plain(output as z.output<O>);
      return limits ? withoutHidden(limits, whole) : whole;
    };
    const answer = async (given: unknown, once: Once | null = null, file?: FileBytes): Promise<Answer<z.output<O>>> => {
      const raw = file
        ? { ...(given as object), ...(await inPlaceOf(contract, file, caller.approval === "writes")) }
        : given;
      const input = accept(contract, caller, raw);
      const keep = () => keepUntilApproved<z.output<O>>(contract, caller, raw, once);
      if (needsApproval(contract, caller, input)) return keep();
      if (caller.approval !== "human_fields") return run(caller, input, once, file);
      return run(caller, input, once, file).catch((error: unknown) => {
        if (error instanceof LeftToPerson) return keep(); // its transaction was rolled back
        throw error;
      });
    };
    return {
      async execute(raw) {
        const { output } = await answer(raw);
        if (output instanceof Held) throw new Error(`${contract.name} waits for approval: use call or reply`);
        return shown(output);
      },
      async call(raw) {
        const { output } = await answer(raw);
        return output instanceof Held ? { waiting: output.waiting } : { output: shown(output) };
      },
      async reply(raw, once, file) {
        const { output, reply } = await answer(raw, once, file);
        const sent = reply ?? replyOf(contract, output);
        return limits ? { ...sent, body: textWithoutHidden(limits, sent.body) } : sent;
      },
      async stream(raw, from) {
        if (from && also?.events) {
          const events = await also.events(caller, accept(contract, caller, raw), from);
          return { events: limits ? visibleEvents(limits, events) : events };
        }
        const file = await also?.file?.(caller, accept(contract, caller, raw));
        return file ? { file } : null;
      },
    };
  };
  const allow = (caller: Caller): Calls<O> => {
    authorize(contract, caller);
    return callsOf(caller);
  };
  const bound: Operation<I, O> = {
    contract,
    also,
    allow,
    execute: async (caller, raw) => allow(caller).execute(raw),
    call: async (caller, raw) => allow(caller).call(raw),
    reply: async (caller, raw, once) => allow(caller).reply(raw, once),
    async prepare(caller, raw) {
      authorize(contract, caller);
      return prepare(caller, accept(contract, caller, raw));
    },
  };
  operations.set(contract.name, bound as unknown as Operation);
  return bound;
}

/** Events about a field that is hidden are left out, as items of a list are. */
async function* visibleEvents(limits: Limits, events: Events): AsyncGenerator<readonly StreamEvent[]> {
  for await (const some of events) {
    const data = withoutHidden(
      limits,
      some.map((event) => event.data),
    );
    if (data.length === some.length) yield some.map((event, index) => ({ ...event, data: data[index] }));
    else
      for (const event of some) yield withoutHidden(limits, [event.data]).map((shown) => ({ ...event, data: shown }));
  }
}

/** Keeps a call that was checked until a person approves it. */
async function keepUntilApproved<O>(
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

/** In place of the text of a file that is streamed: not blank, so that other fields are what is wrong. */
const ELSEWHERE = "file";

/** The field of a file. What waits for approval is kept whole, so it cannot be larger than any other body. */
async function inPlaceOf(contract: Contract, file: FileBytes, waits: boolean): Promise<Record<string, string>> {
  const { field } = contract.http.body?.file ?? {};
  if (field === undefined) throw new Error(`${contract.name} takes no file`);
  return { [field]: waits ? await wholeText(file, bodyLimit(contract)) : ELSEWHERE };
}

async function wholeText(file: FileBytes, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of file) {
    size += piece.length;
    if (size > limit) throw new Fault("payload_too_large", { limit_bytes: limit });
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
  if (isBrokenText(text)) throw new Fault("invalid_file");
  return text;
}
