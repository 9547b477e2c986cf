import type { z } from "zod";
import { getBoot } from "#lib/core/boot.ts";
import type { Caller } from "#lib/core/context.ts";
import { errorBody, Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { JsonText } from "#lib/core/json-text.ts";
import { type Contract, parseInput, successStatus } from "#lib/core/operation.ts";
import { planIncludes, roleIncludes, scopeIncludes } from "#lib/core/plans.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfAnswer } from "#lib/db/encrypted-columns.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { findIdempotent, insertIdempotent, lockIdempotencyKey } from "#lib/db/idempotency.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { answerTogether, type Gathered } from "./gathered.ts";
import type { Ctx } from "./service-context.ts";

export type { Ctx } from "./service-context.ts";

/** A request that carries an Idempotency-Key. `fingerprint` is the SHA-256 of method, address and body. */
export type Once = { key: string; fingerprint: Buffer };

/** What a transport sends back: the output as JSON with its HTTP status. */
export type Reply = { status: number; body: string; replayed: boolean };

export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  contract: Contract<I, O>;
  /** Checks authority and input, then runs the service in one transaction. */
  execute(caller: Caller, raw: unknown): Promise<z.output<O>>;
  /** As `execute`, but gives the output as JSON, and answers a repeated request (`once`) with the first answer. */
  reply(caller: Caller, raw: unknown, once?: Once | null): Promise<Reply>;
};

/** Throws 402 or 403 when the caller may not run this operation. Transports call it before they read the body. */
export function authorize(contract: Contract, caller: Caller): void {
  if (contract.plan && !planIncludes(caller.plan, contract.plan)) {
    const { plan: required_plan, name: feature } = contract;
    throw new Fault("feature_not_in_plan", { feature, required_plan, current_plan: caller.plan });
  }
  if (!scopeIncludes(caller.scopes, contract.scope))
    throw new Fault("insufficient_scope", { required_scope: contract.scope });
  if (contract.role && !(caller.role && roleIncludes(caller.role, contract.role))) {
    throw new Fault("role_required", { required_role: contract.role });
  }
}

/** What an operation does around its transaction, where it may wait for outside systems. */
export type Around<I extends z.ZodObject, O extends z.ZodType, Found> = {
  /** Runs first; what it finds is the service's third argument, what it throws is the answer. It must change nothing. */
  before?(caller: Caller, input: z.output<I>): Promise<Found>;
  /**
   * Runs after the commit and completes the answer with what it waits for, which happens without it too. Should it fail,
   * the service's answer stands.
   */
  after?(caller: Caller, output: z.output<O>, input: z.output<I>): Promise<z.output<O>>;
};

type Open = <T>(workspaceId: Caller["workspaceId"], work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * Binds a service to its contract. Scope, plan, parsing and the transaction happen here, once, for every transport. An
 * operation of scope `read` runs read-only. `writes`: it does keep something (an index in order, say) all the same.
 * `erases`: the transaction may delete what is append-only otherwise. `gathered` answers calls without an Idempotency-Key
 * together with others that come at the same time; it does what the service does.
 */
export function implement<I extends z.ZodObject, O extends z.ZodType, Found = undefined, Item = never, Seen = never>(
  contract: Contract<I, O>,
  service: (ctx: Ctx, input: z.output<I>, found: Found) => Promise<z.output<O> | JsonText<z.output<O>>>,
  {
    erases = false,
    writes = contract.scope !== "read",
    gathered,
    before,
    after,
  }: { erases?: boolean; writes?: boolean; gathered?: Gathered<I, O, Item, Seen> } & Around<I, O, Found> = {},
): Operation<I, O> {
  const operation = contract.name;
  const open: Open = (id, work) => (erases ? withErasure : withWorkspace)(id, work, { operation });
  const reading: Open = (id, work) => withWorkspace(id, work, { readOnly: true, operation });
  const inGroups = gathered && answerTogether(operation, gathered);
  const find = (caller: Caller, input: z.output<I>) => before?.(caller, input) as Promise<Found>;
  const run = async (caller: Caller, raw: unknown) => {
    authorize(contract, caller);
    const input = parseInput(contract, raw);
    if (inGroups) return inGroups(caller, input);
    const found = before && (await find(caller, input));
    const work = (db: Db) => service({ ...caller, db }, input, found as Found);
    const output = await (writes || erases ? open : reading)(caller.workspaceId, work);
    return after && !(output instanceof JsonText) ? after(caller, output, input).catch(() => output) : output;
  };
  return {
    contract,
    async execute(caller, raw) {
      const output = await run(caller, raw);
      return output instanceof JsonText ? output.parse() : output;
    },
    async reply(caller, raw, once) {
      if (!once) return replyOf(contract, await run(caller, raw));
      authorize(contract, caller);
      const input = parseInput(contract, raw);
      const kept = before && (await open(caller.workspaceId, (db) => claimOnce(db, once)));
      if (kept) return { ...kept, replayed: true };
      const found = before && (await find(caller, input));
      const work = (db: Db) => service({ ...caller, db }, input, found as Found);
      const reply = await replyOnce(contract, work, open, caller, once);
      if (!after || reply.replayed) return reply;
      const output = JSON.parse(reply.body) as z.output<O>;
      const completed = replyOf(contract, await after(caller, output, input).catch(() => output));
      await open(caller.workspaceId, (db) => keepOnce(db, contract, once, completed.status, completed.body));
      return completed;
    },
  };
}

/** A text answers a list, which creates nothing, so its status needs no look inside. */
const replyOf = (contract: Contract, output: unknown): Reply =>
  output instanceof JsonText
    ? { status: contract.http.status ?? 200, body: output.text, replayed: false }
    : { status: successStatus(contract, output), body: JSON.stringify(output), replayed: false };

async function replyOnce(
  contract: Contract,
  work: (db: Db) => Promise<unknown>,
  open: Open,
  caller: Caller,
  once: Once,
): Promise<Reply> {
  const outcome = await open(caller.workspaceId, async (db): Promise<Reply | Fault> => {
    const stored = await claimOnce(db, once);
    if (stored) return { ...stored, replayed: true };
    try {
      const reply = replyOf(contract, await attempt(db, work));
      await keepOnce(db, contract, once, reply.status, reply.body);
      return reply;
    } catch (error) {
      // The service refused: its writes are undone, and the refusal is the first answer.
      if (!isFault(error) || error.status >= 500) throw error;
      await keepOnce(db, contract, once, error.status, JSON.stringify(errorBody(error, caller.requestId)));
      return error;
    }
  });
  if (isFault(outcome)) throw outcome;
  return outcome;
}

/** The stored answer, or null when this request is the first; throws when the key is in flight or was used otherwise. */
async function claimOnce(db: Db, once: Once): Promise<{ status: number; body: string } | null> {
  if (!(await lockIdempotencyKey(db, once.key))) throw new Fault("idempotency_key_in_use");
  const stored = await findIdempotent(db, once.key);
  if (!stored) return null;
  if (!stored.fingerprint.equals(once.fingerprint)) throw new Fault("idempotency_key_reused");
  const body = stored.encrypted
    ? decrypt(getBoot().secrets.encryptionKeys, purposeOfAnswer(once.key), stored.body)
    : stored.body;
  return { status: stored.status, body };
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
