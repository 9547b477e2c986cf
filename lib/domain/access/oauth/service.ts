import { tellAccessChange } from "#lib/auth/key-changes.ts";
import { lastUseOf } from "#lib/auth/key-use.ts";
import { Fault } from "#lib/core/errors.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { areSame, limitsAudited, limitsOf } from "#lib/core/limits.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";
import { findConnected, findGrantToChange, type GrantRow, removeExpired, updateGrant } from "./queries.ts";
import { clientOfRow } from "./serialize.ts";
import { endAccess } from "./service/tokens.ts";

export { authMethods, grantTypes, isOwnOrigin, usualScopes } from "./rules.ts";
export { type ConsentRequest, decideAuthorization, openAuthorization } from "./service/authorize.ts";
export {
  type Credentials,
  type RegistrationAnswer,
  registerClient,
  sweepClients,
} from "./service/clients.ts";
export { issueTokens, revokeToken, type TokenRequest, type Tokens } from "./service/tokens.ts";

/** Whose clients the caller sees and may end: all for an admin (null), else their own. */
const ownerOf = ({ role, actor }: Ctx): string | null => (role && roleIncludes(role, "admin") ? null : actor.id);

export const listConnectedClients = implement(contract.listConnectedClients, async (ctx) => {
  const rows = await findConnected(ctx.db, ownerOf(ctx));
  return { clients: rows.map((row) => clientOfRow(row, ctx.actor.id, lastUseOf(row.id)?.at ?? null)) };
});

/** The latest use of a connected client; null when none was used. */
export async function latestClientUse({ db }: Pick<Ctx, "db">): Promise<{ at: string; client: string } | null> {
  const uses = (await findConnected(db, null))
    .map((row) => clientOfRow(row, "", lastUseOf(row.id)?.at ?? null))
    .flatMap(({ last_used_at: at, name: client }) => (at === null ? [] : [{ at, client }]));
  return uses.sort((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
}

export const changeConnectedClient = implement(
  contract.changeConnectedClient,
  async (ctx, input) => {
    const { id } = input;
    const grant = await requireGrant(ctx, id);
    const { approval = grant.approval } = input;
    const limits = limitsOf(input, grant);
    const name = grant.clientName;
    if (grant.approval !== approval) await recordAudit(ctx, "client.changed", id, { name, approval });
    if (!areSame(limits, grant)) await recordAudit(ctx, "client.limited", id, { name, ...limitsAudited(limits) });
    await updateGrant(ctx.db, id, { approval, ...limits });
    await tellAccessChange(ctx.db);
    return { id, approval, kinds: limits.kinds, hidden_fields: limits.hiddenFields };
  },
  { transaction: "writing" },
);

export const revokeConnectedClient = implement(
  contract.revokeConnectedClient,
  async (ctx, { id }) => {
    const grant = await requireGrant(ctx, id);
    await endAccess(ctx, id);
    await recordAudit(ctx, "client.disconnected", id, { name: grant.clientName });
    return { id };
  },
  { transaction: "writing" },
);

/**
 * The grant of a connected client that the caller may change and end, locked. Throws 404 `connected_client_not_found`
 * and 403 `role_required`.
 */
async function requireGrant(ctx: Ctx, id: string): Promise<GrantRow> {
  const grant = await findGrantToChange(ctx.db, id);
  if (!grant || grant.revoked) throw new Fault("connected_client_not_found");
  const owner = ownerOf(ctx);
  if (owner !== null && grant.userId !== owner) throw new Fault("role_required", { required_role: "admin" });
  return grant;
}

/** A used code is remembered for so long, so that a second use is noticed. */
const CODES_KEPT_SECONDS = 86_400;
const BATCH = 1_000;

/** Deletes codes and tokens that have ended; true when more may be left. */
export const sweepTokens = async (workspaceId: WorkspaceId): Promise<boolean> =>
  (await withWorkspace(workspaceId, (db) => removeExpired(db, CODES_KEPT_SECONDS, BATCH))) === BATCH;
