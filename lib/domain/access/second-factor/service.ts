import { verifyPassword } from "#lib/auth/passwords.ts";
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
import { countAttempt, forgiveAttempt, type Throttle } from "#lib/auth/throttle.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { requireProof } from "#lib/core/proof.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { implementUser, type SignedIn } from "#lib/domain/implement-user.ts";
import { noteOfUser } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";

const passwordsTried: Throttle = { name: "confirm", attempts: 5, seconds: 60, waits: [15, 30, 60, 120, 300, 900] };

const CODE_NEEDED = "You have a second factor: send a code of your app, or a recovery code.";
const ok = { ok: true } as const;

export const confirmIdentity = implementUser(contract.confirmIdentity, "signed-in", async (ctx, { password, code }) => {
  const { session } = ctx;
  if (password === undefined && code === undefined) {
    requireProof(session.provenAt);
    return ok;
  }
  if (code !== undefined) await requireCode(session.userId, code);
  else if (await hasFactor(session.userId)) throw new Fault("wrong_code", { parameter: "code" }, CODE_NEEDED);
  if (password !== undefined) await requirePassword(ctx, password);
  await withoutWorkspace((db) => markProven(db, session.userId, session.id));
  return ok;
});

async function requirePassword({ session }: SignedIn, password: string): Promise<void> {
  const user = await withoutWorkspace((db) => findUserById(db, session.userId));
  await countAttempt(passwordsTried, session.userId);
  if (!(await verifyPassword(user?.passwordHash ?? null, password)))
    throw new Fault("wrong_password", { parameter: "password" }, "The password is not right.");
  await forgiveAttempt(passwordsTried, session.userId);
}

export const beginSecondFactor = implementUser(contract.beginSecondFactor, "signed-in", ({ session }) =>
  beginFactor(session.userId, session.email),
);

export const confirmSecondFactor = implementUser(contract.confirmSecondFactor, "signed-in", async (ctx, { code }) => {
  const { userId, id } = ctx.session;
  const recovery_codes = await confirmFactor(userId, code);
  const ended_sessions = await withoutWorkspace((db) => markSessionsRevoked(db, userId, id));
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
  const from = { requestId: newId(), client: "rapport-cli", actor: { type: "cli", id: operator } as const };
  if (removed) noteOfUser((db) => findUserByEmail(db, email), from, "user.second_factor_removed", { by: "operator" });
  return { email, removed };
}
