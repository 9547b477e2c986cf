import { findLiveKey } from "#lib/auth/api-keys.ts";
import { parseCidr } from "#lib/auth/cidr.ts";
import { lastUseOf } from "#lib/auth/key-use.ts";
import { wasCalled } from "#lib/auth/queries/calls.ts";
import { getWorkspaceName } from "#lib/auth/queries/workspaces.ts";
import { mintKey } from "#lib/auth/secret-tokens.ts";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { areSame, limitsAudited, limitsOf, noLimits, type RecordKind } from "#lib/core/limits.ts";
import type { ApprovalMode, KeyScope } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { cancelApprovals, inheritRules } from "#lib/domain/access/approvals/service.ts";
import { latestClientUse } from "#lib/domain/access/oauth/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  findKey,
  findKeys,
  findKeyToChange,
  insertKey,
  type KeyRow,
  markKeysOfLoginsRevoked,
  markReplaced,
  markRevoked,
  updateKey,
} from "./queries.ts";
import { expiryOf, inOrder, requireLimitable, requireRotatable, successorExpiry } from "./rules.ts";
import { keyOfRow } from "./serialize.ts";

export const listApiKeys = implement(contract.listApiKeys, async (ctx) => {
  const now = new Date();
  return { keys: (await findKeys(ctx.db)).map((row) => keyOfRow(row, now, lastUseOf(row.id))) };
});

export const mintApiKey = implement(contract.mintApiKey, async (ctx, input) => {
  requireMayMint(ctx, input.scopes);
  const now = new Date();
  const expiresAt = expiryOf(input, now);
  const allowedCidrs = [...new Set(input.allowed_cidrs.map(requireCidr))];
  const { name, scopes, approval } = input;
  const limits = limitsOf(input, noLimits);
  requireLimitable(scopes, limits);
  const { api_key, key } = await issueKey(ctx, { name, scopes, expiresAt, allowedCidrs, approval, ...limits }, now);
  await recordAudit(ctx, "api_key.minted", key.id, {
    name: key.name,
    scopes: key.scopes,
    approval,
    ...limitsAudited(limits),
  });
  return { api_key, key };
});

export const rotateApiKey = implement(contract.rotateApiKey, async (ctx, { id, overlap_hours }) => {
  const now = new Date();
  const old = await requireKey(ctx, id);
  requireMayMint(ctx, old.scopes);
  requireRotatable(old, now);
  const minted = await issueKey(ctx, { ...old, expiresAt: successorExpiry(old, now) }, now);
  await markReplaced(ctx.db, id, minted.key.id, overlap_hours);
  await inheritRules(ctx, id, minted.key.id);
  await recordAudit(ctx, "api_key.rotated", id, { name: old.name, replaced_by: minted.key.id, overlap_hours });
  return minted;
});

export const changeApiKey = implement(contract.changeApiKey, async (ctx, input) => {
  const { id } = input;
  const key = await requireKey(ctx, id);
  if (key.revokedAt) throw new Fault("api_key_revoked");
  const limits = limitsOf(input, key);
  requireLimitable(key.scopes, limits);
  const next = { approval: input.approval ?? key.approval, ...limits };
  const { name } = key;
  if (key.approval !== next.approval) await recordAudit(ctx, "api_key.changed", id, { name, approval: next.approval });
  if (!areSame(limits, key)) await recordAudit(ctx, "api_key.limited", id, { name, ...limitsAudited(limits) });
  await updateKey(ctx.db, id, next);
  return { key: keyOfRow({ ...key, ...next }, new Date(), lastUseOf(id)) };
});

export const revokeApiKey = implement(contract.revokeApiKey, async (ctx, { id, confirm }) => {
  const key = await requireKey(ctx, id);
  if (key.revokedAt) throw new Fault("api_key_revoked");
  if (confirm !== undefined && confirm.trim() !== key.name)
    throw new Fault("confirmation_mismatch", { parameter: "confirm" });
  await markRevoked(ctx.db, id);
  await cancelApprovals(ctx, id);
  await recordAudit(ctx, "api_key.revoked", id, { name: key.name });
  return { key: keyOfRow((await findKey(ctx.db, id)) ?? key, new Date(), lastUseOf(id)) };
});

export const getAgentActivity = implement(contract.getAgentActivity, async (ctx) => {
  const now = new Date();
  const used = (await findKeys(ctx.db))
    .map((row) => keyOfRow(row, now, lastUseOf(row.id)))
    .filter((key) => key.last_used_at !== null)
    .sort((a, b) => ((a.last_used_at ?? "") < (b.last_used_at ?? "") ? 1 : -1));
  const [key] = used;
  const connected = await latestClientUse(ctx);
  const at_work = await wasCalled(ctx.db, daily);
  if (connected && connected.at > (key?.last_used_at ?? ""))
    return { last_used_at: connected.at, client: connected.client, key_id: null, key_name: null, at_work };
  return {
    last_used_at: key?.last_used_at ?? null,
    client: key?.last_used_client ?? null,
    key_id: key?.id ?? null,
    key_name: key?.name ?? null,
    at_work,
  };
});

/** What an agent calls that uses Rapport in its work: the operations, and the tools that call them. */
const daily = [
  ...["getContext", "getContextText", "recordObservations", "capture", "captureBatch", "saveNote"],
  ...["get_context", "record", "save_note"],
];

/** Revokes a key at the word of its holder. False when it is no working key. */
export async function revokeByItself(ctx: Pick<Ctx, "client" | "requestId" | "ip">, key: string): Promise<boolean> {
  const grant = await findLiveKey(key);
  if (!grant) return false;
  const { workspaceId, keyId } = grant;
  return withWorkspace(workspaceId, async (db) => {
    const row = await findKeyToChange(db, keyId);
    if (!row || row.revokedAt) return false;
    await markRevoked(db, keyId);
    await cancelApprovals({ db, workspaceId }, keyId);
    await recordAudit({ ...ctx, db, workspaceId, actor: { type: "api_key", id: keyId } }, "api_key.revoked", keyId, {
      name: row.name,
    });
    return true;
  });
}

/**
 * Revokes the keys of a user's device logins, because they leave the workspace. For the transaction that removes them;
 * their member row is locked or gone.
 */
export async function revokeKeysOfLogins(ctx: Ctx, userId: string): Promise<void> {
  for (const { id, name } of await markKeysOfLoginsRevoked(ctx.db, userId)) {
    await cancelApprovals(ctx, id);
    await recordAudit(ctx, "api_key.revoked", id, { name });
  }
}

export const getCaller = implement(contract.getCaller, async (ctx) => {
  const { db, actor, scopes, role, plan, workspaceId, approval = "none" } = ctx;
  const [name, key] = await together([
    getWorkspaceName(db),
    actor.type === "api_key" || actor.type === "mcp" ? findKey(db, actor.id) : null,
  ]);
  return {
    workspace: { id: workspaceId, name },
    plan,
    scopes: inOrder(scopes),
    approval,
    actor: {
      type: actor.type,
      id: actor.id,
      role,
      name: key?.name ?? null,
      expires_at: key?.expiresAt ? formatTime(key.expiresAt) : null,
    },
  };
});

/** The settings of a new key. */
export type KeyPlan = {
  name: string;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
  allowedCidrs: readonly string[];
  approval?: ApprovalMode;
  kinds?: readonly RecordKind[];
  hiddenFields?: readonly string[];
  /** the member whose device login makes it: the key ends with their membership */
  loginUserId?: string | null;
};

/** Mints a key in the running transaction. Does not check permissions: the operations above do. */
export async function issueKey(
  ctx: Pick<Ctx, "db" | "actor">,
  plan: KeyPlan,
  now = new Date(),
): Promise<contract.MintAnswer> {
  const { key, prefix, lastFour, hash } = mintKey();
  const id = newId();
  const createdBy = nameOfActor(ctx);
  const { name, expiresAt, allowedCidrs, approval = "none", kinds = [], hiddenFields = [], loginUserId = null } = plan;
  const scopes = inOrder(plan.scopes);
  const [, row] = await together([
    insertKey(ctx.db, {
      id,
      name,
      prefix,
      lastFour,
      hash,
      scopes,
      allowedCidrs: [...allowedCidrs],
      createdBy,
      createdAt: now,
      expiresAt,
      approval,
      kinds: [...kinds],
      hiddenFields: [...hiddenFields],
      loginUserId,
    }),
    findKey(ctx.db, id),
  ]);
  if (!row) throw new Error("a key that was just inserted is not there");
  return { api_key: key, key: keyOfRow(row, now) };
}

/** Throws 404 unless the workspace has a key of that id. */
export async function requireExistingKey(db: Db, id: string): Promise<void> {
  if (!(await findKey(db, id))) throw new Fault("api_key_not_found");
}

export { findWorkingKeysOf as workingKeysOf } from "./queries.ts";

/** A key for the directory can remove any member, owners too. Throws 403 `role_required`. */
function requireMayMint({ role }: Pick<Ctx, "role">, scopes: readonly KeyScope[]): void {
  if (scopes.includes("directory") && role !== "owner") throw new Fault("role_required", { required_role: "owner" });
}

async function requireKey(ctx: Ctx, id: string): Promise<KeyRow> {
  const key = await findKeyToChange(ctx.db, id);
  if (!key) throw new Fault("api_key_not_found");
  return key;
}

function requireCidr(value: string, index: number): string {
  const cidr = parseCidr(value);
  if (cidr) return cidr;
  const extras = { parameter: `allowed_cidrs.${index}`, value };
  throw new Fault("invalid_cidr", extras, `"${value}" is not an IPv4 or IPv6 address or range.`);
}

const AT_ONCE = 8;

/** Which of these workspaces a key belongs to; null: none. For an operator, who gives only the key's id. */
export async function findWorkspaceOfKey(
  workspaces: readonly WorkspaceId[],
  keyId: string,
): Promise<WorkspaceId | null> {
  for (let start = 0; start < workspaces.length; start += AT_ONCE) {
    const some = workspaces.slice(start, start + AT_ONCE);
    const owners = await together(
      some.map((workspaceId) => withWorkspace(workspaceId, (db) => findKey(db, keyId), { readOnly: true })),
    );
    const at = owners.findIndex((key) => key !== null);
    if (at >= 0) return some[at] ?? null;
  }
  return null;
}
