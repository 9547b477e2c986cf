import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Contract } from "#lib/core/operation.ts";
import { encrypt } from "#lib/db/encrypted.ts";
import { announce } from "#lib/live/announce.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { purposeOfInput } from "./encrypted-columns.ts";
import { holdLoad, insertApproval } from "./queries/held-calls.ts";
import type { Ctx } from "./service-context.ts";

/** How many changes of a key or grant may wait, and how many bytes of input they may have together. */
export const MOST_PENDING = 500;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

/** A change that is not decided in this time expires. */
const DAYS = 14;

/** What the caller is told instead of an output. */
export type Waiting = { status: "pending_approval"; approval_id: string; message: string };

/** The answer of an operation that was not run: a person must approve it first. */
export class Held {
  readonly waiting: Waiting;
  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }
}

/**
 * Keeps a call that was checked and may be run, until a person approves or rejects it. Throws 409 when too much of this
 * caller waits already, and 401 when its access was just revoked.
 */
export async function hold(ctx: Ctx, contract: Contract, raw: unknown): Promise<Held> {
  const { db, actor, scopes, client, requestId, workspaceId } = ctx;
  const text = JSON.stringify(raw);
  const size = Buffer.byteLength(text);
  const { pending, bytes, revoked } = await holdLoad(db, actor.id);
  if (revoked) throw new Fault("unauthorized");
  if (pending >= MOST_PENDING) throw new Fault("too_many_approvals", { pending, limit: MOST_PENDING });
  if (bytes + size > MOST_PENDING_BYTES)
    throw new Fault("too_many_approvals", { pending, pending_bytes: bytes, limit_bytes: MOST_PENDING_BYTES });
  const id = newId();
  const encrypted = contract.secrets?.input !== undefined;
  await insertApproval(db, {
    id,
    operation: contract.name,
    input: encrypted ? encrypt(getBoot().secrets.encryptionKeys, purposeOfInput(id), text) : text,
    encrypted,
    size,
    actor: `${actor.type}:${actor.id}`,
    askerId: actor.id,
    scopes,
    client,
    requestId,
    days: DAYS,
  });
  db.afterCommit(() => announce(workspaceId, { topic: "approvals" }));
  return new Held({
    status: "pending_approval",
    approval_id: id,
    message: `Nothing was changed yet: a person must approve this first. Do not send it again; ask GET /v2/approvals/${id} for what was decided.`,
  });
}
