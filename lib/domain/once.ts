import { createHash } from "node:crypto";
import { isReplacement } from "#lib/auth/queries/api-keys.ts";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { errorBody, Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { JsonText } from "#lib/core/json.ts";
import { type Contract, successStatus } from "#lib/core/operation.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { seal, unseal } from "#lib/db/sealed.ts";
import { type Answer, type Reply, replyOf } from "./answers.ts";
import { purposeOfAnswer } from "./encrypted-columns.ts";
import type { Held } from "./holding.ts";
import { findIdempotent, insertIdempotent, lockIdempotencyKey } from "./queries/kept-answers.ts";

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

/** The first answer, where `claim` threw it; else throws the error. */
export function replayOf(error: unknown): Reply {
  if (error instanceof Replayed) return error.reply;
  throw error;
}

/** `parts`: what the request is known by besides its address; none for a body that is part of the fingerprint. */
export function keptOnce<O>(
  contract: Contract,
  caller: Caller,
  { key, fingerprint }: Once,
  parts: readonly string[],
): KeptOnce<O> {
  const whole = createHash("sha256").update(fingerprint);
  for (const part of parts) whole.update(part);
  let digest: Buffer | undefined;
  const own = (): Once => {
    digest ??= parts.length === 0 ? fingerprint : whole.digest();
    return { key, fingerprint: digest };
  };
  return {
    add(piece) {
      whole.update(piece);
    },
    isAnswered: async (db) => (await findIdempotent(db, key)) !== null,
    async claim(db) {
      const first = await claimOnce(db, caller, own());
      if (first) throw new Replayed(first);
    },
    keep: (db, answer) =>
      isFault(answer)
        ? keepOnce(db, contract, caller, own(), answer.status, JSON.stringify(errorBody(answer, caller.requestId)))
        : keepOnce(db, contract, caller, own(), successStatus(contract, answer), JSON.stringify(answer)),
  };
}

/** Opens a transaction of the right kind under a workspace. */
export type Open = <T>(workspaceId: Caller["workspaceId"], work: (db: Db) => Promise<T>) => Promise<T>;

/** Runs the work in a transaction that also keeps its answer, or gives the answer that was kept. */
export async function answerOnce<O>(
  contract: Contract,
  work: (db: Db) => Promise<O | JsonText<O> | Held>,
  open: Open,
  caller: Caller,
  once: Once,
): Promise<Answer<O>> {
  const outcome = await open(caller.workspaceId, async (db): Promise<Answer<O> | Fault> => {
    const kept = await claimOnce(db, caller, once);
    if (kept) return { output: null, reply: kept };
    try {
      const output = await attempt(db, work);
      const reply = replyOf(contract, output);
      await keepOnce(db, contract, caller, once, reply.status, reply.body);
      return { output: output instanceof JsonText ? null : output, reply };
    } catch (error) {
      // The service refused: its writes are undone, and the refusal is kept as the first answer.
      if (!isFault(error) || error.status >= 500) throw error;
      await keepOnce(db, contract, caller, once, error.status, JSON.stringify(errorBody(error, caller.requestId)));
      return error;
    }
  });
  if (isFault(outcome)) throw outcome;
  return outcome;
}

/** Most requests are done by then. */
const IN_USE_RETRY_SECONDS = 1;

/** The stored answer, or null when this request is the first; throws when the key is in flight, or was used otherwise or by another. */
export async function claimOnce(db: Db, caller: Caller, once: Once): Promise<Reply | null> {
  if (!(await lockIdempotencyKey(db, once.key)))
    throw new Fault("idempotency_key_in_use", { retry_after: IN_USE_RETRY_SECONDS });
  const stored = await findIdempotent(db, once.key);
  if (!stored) return null;
  const isSame = stored.fingerprint.equals(once.fingerprint) && (await mayRepeat(db, caller, stored.caller));
  if (!isSame) throw new Fault("idempotency_key_reused");
  const body = stored.encrypted ? unseal(purposeOfAnswer(once.key), stored.body) : stored.body;
  return { status: stored.status, body, replayed: true };
}

/** Whether the caller is the one who sent the first request, or the key that rotation made in its place. */
async function mayRepeat(db: Db, caller: Caller, first: string | null): Promise<boolean> {
  if (first === null || first === nameOfActor(caller)) return true;
  const [type, id] = first.split(":");
  const areKeys = type === "api_key" && caller.actor.type === "api_key";
  return areKeys && isReplacement(db, id as string, caller.actor.id);
}

export async function keepOnce(
  db: Db,
  contract: Contract,
  caller: Caller,
  { key, fingerprint }: Once,
  status: number,
  body: string,
): Promise<void> {
  const encrypted = contract.secrets?.output !== undefined;
  const kept = encrypted ? seal(purposeOfAnswer(key), body) : body;
  const answer = { id: newId(), key, caller: nameOfActor(caller), fingerprint, status, body: kept, encrypted };
  if (!(await insertIdempotent(db, answer))) throw new Fault("idempotency_key_reused");
}
