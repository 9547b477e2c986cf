import { requireOwnPassword } from "#lib/auth/own-password.ts";
import { checkPasskey } from "#lib/auth/passkeys.ts";
import { deleteFactor, deleteFactors } from "#lib/auth/queries/second-factors.ts";
import { markSessionsRevoked } from "#lib/auth/queries/sessions.ts";
import { findUserByEmail, findUserById, lockUser } from "#lib/auth/queries/users.ts";
import {
  beginFactor,
  confirmFactor,
  hasApp,
  hasFactor,
  removeFactor,
  renewRecoveryCodes as renew,
  requireCode,
  requireGivenFactor,
} from "#lib/auth/second-factor.ts";
import { renewSession } from "#lib/auth/sessions.ts";
import { Fault } from "#lib/core/errors.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { requireProof } from "#lib/core/proof.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { implementUser, type SignedIn } from "#lib/domain/implement-user.ts";
import { byOperator, noteOfUser, notingRefusal, type UserAction } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";

const CODE_NEEDED = "You have a second factor: send a code of your app, or a recovery code.";
const ok = { ok: true } as const;

export const confirmIdentity = implementUser(
  contract.confirmIdentity,
  "signed-in",
  async (ctx, { password, code, passkey }) => {
    const { userId, provenAt } = ctx.session;
    if (password === undefined && code === undefined && passkey === undefined) {
      requireProof(provenAt);
      return ok;
    }
    if (passkey !== undefined) await notingRefusal(ctx, () => requirePasskey(ctx, passkey));
    if (code !== undefined) await notingRefusal(ctx, () => requireCode(userId, code));
    const withFactor = passkey !== undefined || code !== undefined;
    if (!withFactor && (await hasFactor(userId))) throw new Fault("wrong_code", { parameter: "code" }, CODE_NEEDED);
    if (password !== undefined) {
      const user = await withoutWorkspace((db) => findUserById(db, userId));
      if (!user) throw new Fault("session_required");
      await notingRefusal(ctx, () => requireOwnPassword(user, password, "password"));
    }
    const token = await renewSession(ctx.session, withFactor);
    ctx.keepToken?.(token);
    return ok;
  },
);

/** Throws 400 `wrong_passkey` unless it is the person's own, asked for in this session. */
async function requirePasskey({ session, origin }: SignedIn, passkey: PasskeyAnswer): Promise<void> {
  const { id: sessionId, userId } = session;
  const { right } = await checkPasskey(passkey, { sessionId, userId, address: origin });
  if (!right) throw new Fault("wrong_passkey", { parameter: "passkey" });
}

export const beginSecondFactor = implementUser(contract.beginSecondFactor, "signed-in", async ({ session }) => {
  await requireGivenFactor(session);
  return beginFactor(session.userId, session.email);
});

export const confirmSecondFactor = implementUser(contract.confirmSecondFactor, "signed-in", async (ctx, { code }) => {
  const { userId, id } = ctx.session;
  await requireGivenFactor(ctx.session);
  const { recoveryCodes: recovery_codes, endedSessions: ended_sessions } = await confirmFactor(userId, code, id);
  note(ctx, "user.second_factor_added");
  return { recovery_codes, ended_sessions };
});

export const renewRecoveryCodes = implementUser(contract.renewRecoveryCodes, "signed-in", async (ctx, { code }) => {
  const { userId } = ctx.session;
  if (code !== undefined) await notingRefusal(ctx, () => requireCode(userId, code));
  else if (await hasApp(userId)) throw new Fault("wrong_code", { parameter: "code" }, CODE_NEEDED);
  else await requireGivenFactor(ctx.session);
  const recovery_codes = await renew(userId);
  note(ctx, "user.recovery_codes_renewed");
  return { recovery_codes };
});

export const removeSecondFactor = implementUser(contract.removeSecondFactor, "signed-in", async (ctx, { code }) => {
  const { session } = ctx;
  // Recovery codes are also of who has passkeys only.
  if (!(await hasApp(session.userId))) throw new Fault("second_factor_missing");
  await notingRefusal(ctx, () => requireCode(session.userId, code));
  await removeFactor(session, async (db) => (await deleteFactor(db, session.userId)) || null);
  note(ctx, "user.second_factor_removed", { by: "code" });
  return ok;
});

const note = (ctx: SignedIn, action: UserAction, detail = {}): void =>
  noteOfUser((db) => findUserById(db, ctx.session.userId), ctx, action, detail);

/** An operator's help for who lost their app, their passkeys and their recovery codes: the password alone signs in again. Ends their sessions. */
export async function resetSecondFactor(text: string, operator: string): Promise<{ email: string; removed: boolean }> {
  const email = EmailAddress.safeParse(text).data ?? "";
  const removed = await withoutWorkspace(async (db) => {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Fault("user_not_found");
    await lockUser(db, user.id);
    const had = await deleteFactors(db, user.id);
    if (had) await markSessionsRevoked(db, user.id, null);
    return had;
  });
  if (removed)
    noteOfUser((db) => findUserByEmail(db, email), byOperator(operator), "user.second_factor_removed", {
      by: "operator",
    });
  return { email, removed };
}
