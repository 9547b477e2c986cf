import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import type { Contract } from "#lib/core/operation.ts";
import { seal } from "#lib/db/sealed.ts";
import { announce } from "#lib/live/announce.ts";
import { purposeOfInput } from "./encrypted-columns.ts";
import {
  findAllowed,
  findFieldsAsked,
  holdLoad,
  insertApprovals,
  type Load,
  type NewApproval,
  replacePending,
} from "./queries/held-calls.ts";
import type { Ctx } from "./service-context.ts";

/** How many calls of a key or grant may wait, and how many bytes of input they may have together. */
export const MOST_PENDING = 500;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

/** How many single values of it may wait. */
export const MOST_PENDING_FIELDS = 5000;

/** What the caller is told instead of an output. */
export type Waiting = { status: "pending_approval"; approval_id: string; message: string };

/** The answer of an operation that was not run: a person must approve it first. */
export class Held {
  readonly waiting: Waiting;
  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }
}

/** Thrown by a service to undo what it did: its call is kept until a person approves it. */
export class LeftToPerson extends Error {
  override readonly name = "LeftToPerson";
}

/**
 * Keeps a call that was checked and may be run, until a person approves or rejects it. Throws 409 when too much of this
 * caller waits already, and 401 when its access was just revoked.
 */
export async function hold(ctx: Ctx, contract: Contract, raw: unknown): Promise<Held> {
  const text = JSON.stringify(raw);
  const size = Buffer.byteLength(text);
  requireRoom(await holdLoad(ctx.db, ctx.actor.id), size);
  const id = newId();
  const encrypted = contract.secrets?.input !== undefined;
  const input = encrypted ? seal(purposeOfInput(id), text) : text;
  await keep(ctx, [{ id, operation: contract.name, input, encrypted, size }]);
  return new Held({
    status: "pending_approval",
    approval_id: id,
    message: `Nothing was changed yet: a person must approve this first. Do not send it again; ask GET /v2/approvals/${id} for what was decided.`,
  });
}

function requireRoom({ pending, bytes, revoked }: Load, size: number): void {
  if (revoked) throw new Fault("unauthorized");
  if (pending >= MOST_PENDING) throw new Fault("too_many_approvals", { pending, limit: MOST_PENDING });
  if (bytes + size > MOST_PENDING_BYTES)
    throw new Fault("too_many_approvals", { pending, pending_bytes: bytes, limit_bytes: MOST_PENDING_BYTES });
}

type NewCall = Pick<NewApproval, "id" | "operation" | "input" | "encrypted" | "size" | "entityId" | "property">;

async function keep(ctx: Ctx, calls: readonly NewCall[]): Promise<void> {
  const { db, actor, scopes, client, requestId, workspaceId } = ctx;
  const by = { actor: nameOfActor(ctx), askerId: actor.id, scopes, client, requestId };
  await insertApprovals(
    db,
    calls.map((call) => ({ ...call, ...by })),
  );
  db.afterCommit(() => announce(workspaceId, { topic: "approvals" }));
}

/** A value that a caller would set, in the place of one that a person said. */
export type HeldField = {
  entityId: string;
  property: string;
  value: unknown;
  source: string;
  externalId?: string | undefined;
  /** when a person gave the value that it would replace */
  saidAt: Date;
};

/** The call by which an approved value is set: as a person's word, at the moment of the approval. */
const callOf = ({ workspaceId }: Ctx, { entityId, externalId, property, value, source }: HeldField): string =>
  JSON.stringify({
    focus: entityId === workspaceId ? "workspace" : entityId,
    observations: [
      {
        ...{ kind: "state", property, value, source, method: "asserted" },
        ...(externalId === undefined ? {} : { external_id: externalId }),
      },
    ],
  });

const fieldOf = ({ entityId, property }: Pick<HeldField, "entityId" | "property">): string => `${entityId} ${property}`;
const saidIn = (input: string): string => {
  const { observations } = JSON.parse(input) as { observations?: { value: unknown; source: string }[] };
  return canonicalJson(observations?.map(({ value, source }) => [value, source]) ?? null);
};

/**
 * Keeps values, each by itself, until a person approves or rejects it, and returns by `heldAs` the ids of those that wait. One
 * that waits already, or was rejected since the person spoke, is not asked for again; a later value takes the place of the one
 * that waits. Where too much waits already, a value is left out.
 */
export async function holdFields(ctx: Ctx, fields: readonly HeldField[]): Promise<Map<string, string>> {
  const load = await holdLoad(ctx.db, ctx.actor.id, { fields: true });
  if (load.revoked) throw new Fault("unauthorized");
  const asked = await findFieldsAsked(ctx.db, ctx.actor.id, [...new Set(fields.map(({ entityId }) => entityId))]);
  const known = Map.groupBy(asked, fieldOf);
  const ids = new Map<string, string>();
  const fresh: NewCall[] = [];
  const replaced: string[] = [];
  for (const field of new Map(fields.map((one) => [fieldOf(one), one])).values()) {
    const input = callOf(ctx, field);
    const before = (known.get(fieldOf(field)) ?? []).filter(
      ({ rejectedAt }) => !rejectedAt || rejectedAt > field.saidAt,
    );
    const waiting = before.filter(({ rejectedAt }) => rejectedAt === null);
    const same = before.find((one) => saidIn(one.input) === saidIn(input));
    const others = waiting.flatMap(({ id }) => (id === same?.id ? [] : [id]));
    if (same) {
      if (same.rejectedAt === null) ids.set(fieldOf(field), same.id);
      replaced.push(...others);
      continue;
    }
    const id = newId();
    const size = Buffer.byteLength(input);
    const more = 1 - others.length;
    if (load.pending + more > MOST_PENDING_FIELDS || load.bytes + size > MOST_PENDING_BYTES) continue;
    load.pending += more;
    load.bytes += size;
    ids.set(fieldOf(field), id);
    replaced.push(...others);
    const { entityId, property } = field;
    fresh.push({ id, operation: "recordObservations", input, encrypted: false, size, entityId, property });
  }
  if (replaced.length > 0) await replacePending(ctx.db, replaced);
  if (fresh.length > 0) await keep(ctx, fresh);
  return ids;
}

/** How `holdFields` names a value. */
export const heldAs = fieldOf;

/** The properties that this caller may set although a person said their value. */
export const allowedProperties = ({ db, actor }: Ctx): Promise<string[]> => findAllowed(db, actor.id);
