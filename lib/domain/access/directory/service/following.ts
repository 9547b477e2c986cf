/** Which OIDC provider's groups bring members into the workspace. */

import { tellAccessChange } from "#lib/auth/key-changes.ts";
import { oidcProvider, oidcProviders, providerOfIssuer } from "#lib/auth/oidc.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { forgetGroupRoles } from "#lib/domain/access/members/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { OidcProvider } from "#lib/settings/oidc.ts";
import * as contract from "../contract.ts";
import { getIssuer, updateIssuer } from "../queries.ts";
import { beginChange } from "./roles.ts";

const nameOf = (issuer: string): string => providerOfIssuer(issuer)?.name ?? issuer;

/** What Settings shows of it to this caller. */
export async function signInGroups({ db, proof }: Pick<Ctx, "db" | "proof">): Promise<contract.SignInGroups> {
  const issuer = await getIssuer(db);
  const own = proof?.oidcIssuer ? providerOfIssuer(proof.oidcIssuer) : null;
  return {
    follows: issuer && nameOf(issuer),
    may_follow: own && { id: own.id, name: own.name },
    providers: oidcProviders().map(({ id, name }) => ({ id, name })),
  };
}

export const followGroups = implement(contract.followGroups, async (ctx, { provider: id }) => {
  const provider = providerNamed(id);
  if (provider && ctx.proof?.oidcIssuer !== provider.issuer)
    throw new Fault("signed_in_elsewhere", { parameter: "provider" });
  await follow(ctx, provider);
  return { sign_in: await signInGroups(ctx) };
});

/** An operator needs not to have signed in there. Throws 404 `unknown_provider`. `operator` comes from `operatorOf`. */
export async function followGroupsOf(operator: Caller, id: string | null): Promise<{ issuer: string | null }> {
  const provider = providerNamed(id);
  await withWorkspace(operator.workspaceId, (db) => follow({ ...operator, db }, provider));
  return { issuer: provider?.issuer ?? null };
}

function providerNamed(id: string | null): OidcProvider | null {
  if (id === null) return null;
  const provider = oidcProvider(id);
  if (!provider) throw new Fault("unknown_provider", {}, `This server has no OIDC provider with the id ${id}.`);
  return provider;
}

/** What one provider gave, another does not take. Every instance is told: where OIDC is demanded, only this provider counts now. */
async function follow(ctx: Ctx, provider: OidcProvider | null): Promise<void> {
  await beginChange(ctx);
  const before = await getIssuer(ctx.db);
  const issuer = provider?.issuer ?? null;
  if (before === issuer) return;
  await updateIssuer(ctx.db, issuer);
  await forgetGroupRoles(ctx.db);
  await tellAccessChange(ctx.db);
  await recordAudit(ctx, "sign_in_groups.changed", ctx.workspaceId, {
    from: before && nameOf(before),
    to: provider?.name ?? null,
    issuer,
  });
}
