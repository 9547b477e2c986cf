import { requireOwnPassword } from "#lib/auth/own-password.ts";
import { deleteFactor } from "#lib/auth/queries/second-factors.ts";
import { markProven, markSessionsRevoked } from "#lib/auth/queries/sessions.ts";
import { findUserByEmail, findUserById } from "#lib/auth/queries/users.ts";
import {
  beginFactor,
  confirmFactor,
  hasFactor,
  renewRecoveryCodes as renew,
  requireCode,
} from "#lib/auth/second-factor.ts";
import { Fault } from "#lib/core/errors.ts";
import { requireProof } from "#lib/core/proof.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { implementUser, type SignedIn } from "#lib/domain/implement-user.ts";
import { byOperator, noteOfUser } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";

const CODE_NEEDED = "You have a second factor: send a code of your app, or a recovery code.";
const ok = { ok: true } as const;

export const confirmIdentity = implementUser(
  contract.confirmIdentity,
  "signed-in",
  async ({ session }, { password, code }) => {
    if (password === undefined && code === undefined) {
      requireProof(session.provenAt);
      return ok;
    }
    if (code !== undefined) await requireCode(session.userId, code);
    else if (await hasFactor(session.userId)) throw new Fault("wrong_code", { parameter: "code" }, CODE_NEEDED);
    if (password !== undefined) {
      const user = await withoutWorkspace((db) => findUserById(db, session.userId));
      if (!user) throw new Fault("session_required");
      await requireOwnPassword(user, password, "password");
    }
    await withoutWorkspace((db) => markProven(db, session.userId, session.id));
    return ok;
  },
);

export const beginSecondFactor = implementUser(contract.beginSecondFactor, "signed-in", ({ session }) =>
  beginFactor(session.userId, session.email),
);

export const confirmSecondFactor = implementUser(contract.confirmSecondFactor, "signed-in", async (ctx, { code }) => {
  const { userId, id } = ctx.session;
  const { recoveryCodes: recovery_codes, endedSessions: ended_sessions } = await confirmFactor(userId, code, id);
  note(ctx, "user.second_factor_added");
  return { recovery_codes, ended_sessions };
});

export const renewRecoveryCodes = implementUser(contract.renewRecoveryCodes, "signed-in", async (ctx, { code }) => {
  await requireCode(ctx.session.userId, code);
  const recovery_codes = await renew(ctx.session.userId);
  note(ctx, "user.recovery_codes_renewed");
  return { recovery_codes };
});

export const removeSecondFactor = implementUser(contract.removeSecondFactor, "signed-in", async (ctx, { code }) => {
  await requireCode(ctx.session.userId, code);
  await withoutWorkspace((db) => deleteFactor(db, ctx.session.userId));
  note(ctx, "user.second_factor_removed", { by: "code" });
  return ok;
});

const note = (ctx: SignedIn, action: `user.${string}`, detail = {}): void =>
  noteOfUser((db) => findUserById(db, ctx.session.userId), ctx, action, detail);

/** An operator's help for who lost their app and their recovery codes: the password alone signs in again. Ends their sessions. */
export async function resetSecondFactor(text: string, operator: string): Promise<{ email: string; removed: boolean }> {
  const email = EmailAddress.safeParse(text).data ?? "";
  const removed = await withoutWorkspace(async (db) => {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Fault("user_not_found");
    const had = await deleteFactor(db, user.id);
    if (had) await markSessionsRevoked(db, user.id, null);
    return had;
  });
  if (removed)
    noteOfUser((db) => findUserByEmail(db, email), byOperator(operator), "user.second_factor_removed", {
      by: "operator",
    });
  return { email, removed };
}
