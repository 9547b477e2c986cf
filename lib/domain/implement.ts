import { createHash } from "node:crypto";
import type { z } from "zod";
import { getBoot } from "#lib/core/boot.ts";
import type { Caller } from "#lib/core/context.ts";
import { errorBody, Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson, isBrokenText } from "#lib/core/json.ts";
import { JsonText } from "#lib/core/json-text.ts";
import { type Contract, DEFAULT_BODY_LIMIT, parseInput, successStatus } from "#lib/core/operation.ts";
import { type Feature, planFeatures, planHas, roleIncludes, scopeIncludes } from "#lib/core/plans.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfAnswer } from "#lib/db/encrypted-columns.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { findIdempotent, insertIdempotent, lockIdempotencyKey } from "#lib/db/idempotency.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { Held, hold, type Waiting } from "./holding.ts";
import type { Ctx } from "./service-context.ts";

export type { Waiting } from "./holding.ts";
export type { Ctx } from "./service-context.ts";

/** A request that carries an Idempotency-Key. `fingerprint` is the SHA-256 of method, address and body. */
export type Once = { key: string; fingerprint: Buffer };

/**
 * How an operation with transactions of its own keeps its answer to a request with an Idempotency-Key. The request is known
 * by its address, its fields, and the bytes that are added.
 */
export type KeptOnce<O> = {
  /** Adds bytes of the file. */
  add(bytes: Buffer): void;
  /** True when there is an answer already, so that the request only has to be compared. */
  isAnswered(db: Db): Promise<boolean>;
  /** In the transaction that does the work; throws the first answer when there is one, and when the request is another. */
  claim(db: Db): Promise<void>;
  /** Keeps the answer, in place of one that was kept before. */
  keep(db: Db, answer: O | Fault): Promise<void>;
};

/** Thrown by `claim`: the request was answered before. */
class Replayed extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super("the request was answered before");
    this.reply = reply;
  }
}

/** What a transport sends back: the output as JSON with its HTTP status. */
type Reply = { status: number; body: string; replayed: boolean };

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

/** Throws 402 when the workspace's plan does not have a feature. */
function requireFeature({ plan }: Pick<Caller, "plan">, feature: Feature): void {
  if (planHas(plan, feature)) return;
  const { plan: required_plan, name } = planFeatures[feature];
  const message = `Not part of the plan ${plan} of this workspace: ${name}. It comes with ${required_plan}.`;
  throw new Fault("feature_not_in_plan", { feature, required_plan, current_plan: plan }, message);
}

/** Throws 402 or 403 when the caller may not run this operation. Transports call it before they read the body. */
export function authorize(contract: Contract, caller: Caller): void {
  if (contract.feature) requireFeature(caller, contract.feature);
  if (!scopeIncludes(caller.scopes, contract.scope))
    throw new Fault("insufficient_scope", { required_scope: contract.scope });
  if (contract.role && !(caller.role && roleIncludes(caller.role, contract.role))) {
    throw new Fault("role_required", { required_role: contract.role });
  }
}

/** Checks the caller, then what the plan must have for these fields, then the input, which it returns. */
function accept<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  caller: Caller,
  raw: unknown,
): z.output<I> {
  authorize(contract, caller);
  for (const [field, feature] of Object.entries(contract.fieldFeatures ?? {}))
    if (isGiven(raw, field)) requireFeature(caller, feature);
  return parseInput(contract, raw);
}

const isGiven = (raw: unknown, field: string): boolean =>
  typeof raw === "object" && raw !== null && Object.hasOwn(raw, field) && raw[field as keyof typeof raw] !== null;

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

type Open = <T>(workspaceId: Caller["workspaceId"], work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * The result of a run. `reply`: already printed, because it is kept for a repeated request; `output` may then be
 * missing.
 */
type Answer<O> = { output: O | JsonText<O> | Held; reply: null } | { output: O | Held | null; reply: Reply };

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
    const kept = before && once && (await writing(caller.workspaceId, (db) => claimOnce(db, once)));
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
    await writing(caller.workspaceId, (db) => keepOnce(db, contract, once, completeReply.status, completeReply.body));
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

/**
 * An operation that runs in transactions of its own. Scope, plan, approval and parsing happen here. When a person has approved
 * it, it runs while the decision is locked, and is run again if the process dies in between. `file`: given in place of the
 * field of an upload. An Idempotency-Key counts where the work uses `once`.
 */
export function implementAlone<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  work: (
    caller: Caller,
    input: z.output<I>,
    given?: { file?: FileGiven; once?: KeptOnce<z.output<O>> | null },
  ) => Promise<z.output<O>>,
): Operation<I, O> {
  const check = (caller: Caller, raw: unknown): z.output<I> => accept(contract, caller, raw);
  const run = async (caller: Caller, raw: unknown, once: Once | null): Promise<Answer<z.output<O>>> => {
    const input = check(caller, raw);
    if (caller.approval === "writes") return keepUntilApproved(contract, caller, raw, once);
    return work(caller, input, { once: once && keptOnce(contract, caller, once) }).then(
      (output): Answer<z.output<O>> => ({ output, reply: null }),
      (error: unknown): Answer<z.output<O>> => ({ output: null, reply: replayOf(error) }),
    );
  };
  const { upload, bodyLimit = DEFAULT_BODY_LIMIT } = contract.http;
  return known({
    contract,
    ...callsOf(contract, run),
    ...(upload
      ? {
          async receive(caller: Caller, raw: Record<string, unknown>, file: FileGiven, once: Once | null = null) {
            // What waits for approval is kept as it is, so it cannot be larger than any other body.
            if (caller.approval === "writes")
              return this.reply(caller, { ...raw, [upload.field]: await wholeText(file, bodyLimit) });
            const input = check(caller, { ...raw, [upload.field]: ELSEWHERE });
            const kept = once && keptOnce<z.output<O>>(contract, caller, once, [canonicalJson(input)]);
            return work(caller, input, { file, once: kept }).then(
              (output) => replyOf(contract, output),
              (error: unknown) => replayOf(error),
            );
          },
        }
      : {}),
    async prepare(caller, raw) {
      const input = check(caller, raw);
      return { erases: false, run: () => work(caller, input) };
    },
  });
}

/** In place of the text of a file that is streamed: not blank, so that other fields are what is wrong. */
const ELSEWHERE = "file";

function replayOf(error: unknown): Reply {
  if (error instanceof Replayed) return error.reply;
  throw error;
}

/** `parts`: what the request is known by besides its address; none for a body that is part of the fingerprint. */
function keptOnce<O>(
  contract: Contract,
  { requestId }: Caller,
  { key, fingerprint }: Once,
  parts: readonly string[] = [],
): KeptOnce<O> {
  const whole = createHash("sha256").update(fingerprint);
  for (const part of parts) whole.update(part);
  let bytes = parts.length;
  let digest: Buffer | undefined;
  const own = (): Once => {
    digest ??= bytes === 0 ? fingerprint : whole.digest();
    return { key, fingerprint: digest };
  };
  return {
    add(piece) {
      bytes += piece.length;
      whole.update(piece);
    },
    isAnswered: async (db) => (await findIdempotent(db, key)) !== null,
    async claim(db) {
      const first = await claimOnce(db, own());
      if (first) throw new Replayed(first);
    },
    keep: (db, answer) =>
      isFault(answer)
        ? keepOnce(db, contract, own(), answer.status, JSON.stringify(errorBody(answer, requestId)))
        : keepOnce(db, contract, own(), successStatus(contract, answer), JSON.stringify(answer)),
  };
}

async function wholeText(file: FileGiven, limit: number): Promise<string> {
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
function callsOf<I extends z.ZodObject, O extends z.ZodType>(
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

/** Enters an operation in the list of those of this process. */
function known<I extends z.ZodObject, O extends z.ZodType>(bound: Operation<I, O>): Operation<I, O> {
  operations.set(bound.contract.name, bound as unknown as Operation);
  return bound;
}

/** Every operation that was bound in this process, by name. */
const operations = new Map<string, Operation>();

/** The operation of that name, once its slice is loaded. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name);

const plain = <T>(output: T | JsonText<T>): T => (output instanceof JsonText ? output.parse() : output);

/** Text is the answer of a list, which creates nothing, so its status does not depend on the content. */
function replyOf(contract: Contract, output: unknown): Reply {
  if (output instanceof Held) return { status: 202, body: JSON.stringify(output.waiting), replayed: false };
  return output instanceof JsonText
    ? { status: contract.http.status ?? 200, body: output.text, replayed: false }
    : { status: successStatus(contract, output), body: JSON.stringify(output), replayed: false };
}

/** Runs the work in a transaction that also keeps its answer, or gives the answer that was kept. */
async function answerOnce<O>(
  contract: Contract,
  work: (db: Db) => Promise<O | JsonText<O> | Held>,
  open: Open,
  caller: Caller,
  once: Once,
): Promise<Answer<O>> {
  const outcome = await open(caller.workspaceId, async (db): Promise<Answer<O> | Fault> => {
    const kept = await claimOnce(db, once);
    if (kept) return { output: null, reply: kept };
    try {
      const output = await attempt(db, work);
      const reply = replyOf(contract, output);
      await keepOnce(db, contract, once, reply.status, reply.body);
      return { output: output instanceof JsonText ? null : output, reply };
    } catch (error) {
      // The service refused: its writes are undone, and the refusal is kept as the first answer.
      if (!isFault(error) || error.status >= 500) throw error;
      await keepOnce(db, contract, once, error.status, JSON.stringify(errorBody(error, caller.requestId)));
      return error;
    }
  });
  if (isFault(outcome)) throw outcome;
  return outcome;
}

/** Most requests are done by then. */
const IN_USE_RETRY_SECONDS = 1;

/** The stored answer, or null when this request is the first; throws when the key is in flight or was used otherwise. */
async function claimOnce(db: Db, once: Once): Promise<Reply | null> {
  if (!(await lockIdempotencyKey(db, once.key)))
    throw new Fault("idempotency_key_in_use", { retry_after: IN_USE_RETRY_SECONDS });
  const stored = await findIdempotent(db, once.key);
  if (!stored) return null;
  if (!stored.fingerprint.equals(once.fingerprint)) throw new Fault("idempotency_key_reused");
  const body = stored.encrypted
    ? decrypt(getBoot().secrets.encryptionKeys, purposeOfAnswer(once.key), stored.body)
    : stored.body;
  return { status: stored.status, body, replayed: true };
}

async function keepOnce(db: Db, contract: Contract, once: Once, status: number, body: string): Promise<void> {
  const encrypted = contract.sensitive === true;
  const kept = encrypted ? encrypt(getBoot().secrets.encryptionKeys, purposeOfAnswer(once.key), body) : body;
  await insertIdempotent(db, {
    id: newId(),
    key: once.key,
    fingerprint: once.fingerprint,
    status,
    body: kept,
    encrypted,
  });
}
