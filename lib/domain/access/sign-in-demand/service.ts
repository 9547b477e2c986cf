import { providersOffered } from "#lib/auth/providers.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { meetsDemand, oneFactor, type SignInDemand } from "#lib/core/sign-in-demands.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";
import { getDemand, updateDemand } from "./queries.ts";

/** What this server's OIDC provider is called; null when it has none. */
const oidcName = (): string | null => providersOffered().find(({ id }) => id === "oidc")?.name ?? null;

export const getSignInDemand = implement(contract.getSignInDemand, async ({ db, workspaceId }) => ({
  demand: await getDemand(db, workspaceId),
  oidc: oidcName(),
}));

export const setSignInDemand = implement(contract.setSignInDemand, async (ctx, { demand }) => {
  if (demand === "oidc" && oidcName() === null)
    throw new Fault(
      "locks_out",
      { parameter: "demand" },
      "This server has no OIDC provider: its operator sets OIDC_ISSUER.",
    );
  if (!meetsDemand(ctx.proof ?? oneFactor, demand)) throw new Fault("locks_out", { parameter: "demand" }, why[demand]);
  await change(ctx, demand);
  return { demand };
});

const why: Readonly<Record<SignInDemand, string>> = {
  any: "",
  second_factor:
    "You would lock yourself out: set up a second factor on your profile, or sign in with it, before you demand one.",
  oidc: "You would lock yourself out: sign in by the OIDC provider before you demand it.",
};

async function change(ctx: Ctx, demand: SignInDemand): Promise<SignInDemand> {
  const before = await getDemand(ctx.db, ctx.workspaceId);
  if (await updateDemand(ctx.db, demand))
    await recordAudit(ctx, "sign_in_demand.changed", ctx.workspaceId, { from: before, to: demand });
  return before;
}

/** An operator's help for a workspace whose members cannot sign in as it demands. `operator` comes from `operatorOf`. */
export const liftSignInDemand = (operator: Caller): Promise<{ before: SignInDemand }> =>
  withWorkspace(operator.workspaceId, async (db) => ({ before: await change({ ...operator, db }, "any") }));
