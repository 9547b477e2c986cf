import { oidcProviders } from "#lib/auth/oidc.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { meetsDemand, oneFactor, type SignInDemand } from "#lib/core/sign-in-demands.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import * as contract from "./contract.ts";
import { getDemand, updateDemand } from "./queries.ts";

/** What the OIDC providers that count here are called; null when there is none. */
const oidcName = (oidcIssuer: string | null): string | null =>
  oidcProviders()
    .filter(({ issuer }) => oidcIssuer === null || issuer === oidcIssuer)
    .map(({ name }) => name)
    .join(" or ") || null;

export const getSignInDemand = implement(contract.getSignInDemand, async ({ db, workspaceId }) => {
  const { demand, oidcIssuer } = await getDemand(db, workspaceId);
  return { demand, of_server: getBoot().env.SIGN_IN_DEMAND, oidc: oidcName(oidcIssuer) };
});

export const setSignInDemand = implement(contract.setSignInDemand, async (ctx, { demand }) => {
  const { oidcIssuer } = await getDemand(ctx.db, ctx.workspaceId);
  if (demand === "oidc" && oidcName(oidcIssuer) === null)
    throw new Fault(
      "locks_out",
      { parameter: "demand" },
      "This server has no OIDC provider: its operator sets OIDC_ISSUER or OIDC_PROVIDERS.",
    );
  if (!meetsDemand(ctx.proof ?? oneFactor, demand, oidcIssuer))
    throw new Fault("locks_out", { parameter: "demand" }, why[demand]);
  await change(ctx, demand);
  return { demand };
});

const why: Readonly<Record<SignInDemand, string>> = {
  any: "",
  second_factor:
    "You would lock yourself out: set up a second factor on your profile, or sign in with it, before you require one.",
  oidc: "You would lock yourself out: sign in with the OIDC provider before you require it.",
};

async function change(ctx: Ctx, demand: SignInDemand): Promise<SignInDemand> {
  const { demand: before } = await getDemand(ctx.db, ctx.workspaceId);
  if (await updateDemand(ctx.db, demand))
    await recordAudit(ctx, "sign_in_demand.changed", ctx.workspaceId, { from: before, to: demand });
  return before;
}

/**
 * An operator's help for a workspace whose members cannot sign in as it demands. What the server demands (`ofServer`) stays. `operator` comes
 * from `operatorOf`.
 */
export const liftSignInDemand = (operator: Caller): Promise<{ before: SignInDemand; ofServer: SignInDemand }> =>
  withWorkspace(operator.workspaceId, async (db) => ({
    before: await change({ ...operator, db }, "any"),
    ofServer: getBoot().env.SIGN_IN_DEMAND,
  }));
