import { inBackground } from "#lib/auth/background.ts";
import { endSessionsByToken } from "#lib/auth/logout-tokens.ts";
import { canMailLinks, linkTo, sendMail } from "#lib/auth/mail.ts";
import { networkOf } from "#lib/auth/network.ts";
import { requireOwnPassword } from "#lib/auth/own-password.ts";
import {
  hashPassword,
  inventPassword,
  requireGoodPassword,
  requireHardToGuess,
  requireUnbreached,
} from "#lib/auth/passwords.ts";
import { offeredAs } from "#lib/auth/providers.ts";
import { findResetUser, insertPasswordReset, useReset, withdrawResets } from "#lib/auth/queries/password-resets.ts";
import { deleteFactors } from "#lib/auth/queries/second-factors.ts";
import { findSessions, markSessionRevoked, markSessionsRevoked } from "#lib/auth/queries/sessions.ts";
import {
  findProviders,
  findUserByEmail,
  findUserById,
  insertUser,
  isEmailVerified,
  lockUser,
  markDisabled,
  markEmailVerified,
  type UserRow,
  updatePassword,
  updateUserName,
} from "#lib/auth/queries/users.ts";
import { factorState, hasFactor, requireGivenFactor } from "#lib/auth/second-factor.ts";
import { mintLinkToken, sha256 } from "#lib/auth/secret-tokens.ts";
import { membershipsOf, oldestStart } from "#lib/auth/sessions.ts";
import { forgetGuesses } from "#lib/auth/sign-in.ts";
import { requireOpenSignUps } from "#lib/auth/sign-ups.ts";
import { countAttempt, forgiveAttempt, type Throttle } from "#lib/auth/throttle.ts";
import { newWorkspaceId, openInvitation } from "#lib/auth/workspace-ids.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { requireProof } from "#lib/core/proof.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { endAccessEverywhere, joinByInvitation, PROVEN } from "#lib/domain/access/members/service.ts";
import { passkeysOf } from "#lib/domain/access/passkeys/service.ts";
import { implementUser, type SignedIn } from "#lib/domain/implement-user.ts";
import { byOperator, noteOfUser, notingRefusal } from "#lib/domain/records/audit/service.ts";
import { companyDomainOf } from "#lib/domain/records/entities/service.ts";
import { findName, foundWorkspace } from "#lib/domain/workspace/workspaces/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { sessionOfRow } from "./serialize.ts";

const signUps: Throttle = { name: "sign-up", attempts: 20, seconds: 3_600, waits: [300, 900, 3_600] };
const resetsAsked: Throttle = { name: "reset", attempts: 20, seconds: 3_600, waits: [900, 3_600] };
const resetsMailed: Throttle = { name: "reset-mail", attempts: 3, seconds: 3_600, waits: [3_600] };
const tokensTried: Throttle = { name: "reset-token", attempts: 30, seconds: 900, waits: [60, 300, 900] };

const RESET_MINUTES = 60;

export const signUp = implementUser(contract.signUp, "anyone", async (ctx, input) => {
  const name = input.name || null;
  const { email } = input;
  await requireHardToGuess(input.password, namesOf(input, [input.workspace_name ?? ""]));
  await countAttempt(signUps, networkOf(ctx.ip));
  await requireUnbreached(input.password);
  const create = async (db: Db, passwordHash: string) => {
    const user = await insertUser(db, { email, name, passwordHash });
    if (!user) throw new Fault("email_taken", { parameter: "email" });
    return user;
  };

  if (input.invitation !== undefined) {
    const invited = await openInvitation(input.invitation);
    if (!invited) throw new Fault("invitation_not_found");
    const passwordHash = await hashPassword(input.password);
    const { workspaceId } = invited;
    return withWorkspace(workspaceId, async (db) => {
      await requireHardToGuess(input.password, namesOf(input, [await findName({ db, workspaceId })]));
      const user = await create(db, passwordHash);
      await joinByInvitation({ ...ctx, db, workspaceId }, invited.id, user.id, email);
      return { user_id: user.id, workspace_id: workspaceId };
    });
  }

  const { workspace_name, website } = input;
  if (!workspace_name) throw new Fault("name_required", { parameter: "workspace_name" }, "Name the workspace.");
  const passwordHash = await hashPassword(input.password);
  const workspaceId = newWorkspaceId();
  return withWorkspace(workspaceId, async (db) => {
    await requireOpenSignUps(db);
    const user = await create(db, passwordHash);
    const founder = { id: user.id, name: name ?? email };
    const named = { name: workspace_name, website: website ?? companyDomainOf(email) ?? undefined, founder };
    await foundWorkspace({ ...ctx, db, workspaceId }, named);
    return { user_id: user.id, workspace_id: workspaceId };
  });
});

export const requestPasswordReset = implementUser(contract.requestPasswordReset, "anyone", async (ctx, { email }) => {
  await countAttempt(resetsAsked, networkOf(ctx.ip));
  const mailed = canMailLinks();
  // Neither the answer nor its timing shows whether there is such a user.
  if (mailed) inBackground("mailing a password reset", () => mailReset(email));
  return { mailed };
});

async function mailReset(email: string): Promise<void> {
  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  if (!user || user.disabledAt) return;
  try {
    await countAttempt(resetsMailed, email);
  } catch (error) {
    // No error: a caller who floods a mailbox learns nothing.
    if (isFault(error)) return;
    throw error;
  }
  const { token, hash } = mintLinkToken();
  await withoutWorkspace((db) => insertPasswordReset(db, user.id, hash, new Date(Date.now() + RESET_MINUTES * 60_000)));
  await sendMail({
    to: email,
    subject: "Choose a new password for Rapport",
    text: `Someone asked for a new password for ${email}.\n\nChoose it here, within ${RESET_MINUTES} minutes:\n${linkTo(`/reset-password?token=${token}`)}\n\nThe link works once. If it was not you, ignore this mail: your password stays as it is.\n`,
  });
}

/** For the page behind the link, before a password is typed. */
export const doesResetWork = async (token: string): Promise<boolean> => (await ownerOfReset(token)) !== null;

const ownerOfReset = (token: string) => withoutWorkspace((db) => findResetUser(db, sha256(token)));

export const resetPassword = implementUser(contract.resetPassword, "anyone", async (ctx, { token, password }) => {
  await countAttempt(tokensTried, networkOf(ctx.ip));
  const owner = await ownerOfReset(token);
  if (!owner) throw new Fault("reset_link_invalid");
  await requireGoodPassword(password, namesOf(owner, await workspacesOf(owner.id)));
  const passwordHash = await hashPassword(password);
  const { id, email, isProven } = await withoutWorkspace(async (db) => {
    const userId = await useReset(db, sha256(token));
    const user = userId && (await findUserById(db, userId));
    if (!user) throw new Fault("reset_link_invalid");
    await setPassword(db, user.id, { passwordHash }, null);
    // A stranger could have signed up with this address before, and have set up a second factor.
    const isProven = await isEmailVerified(db, user.id);
    if (!isProven) await deleteFactors(db, user.id);
    return { ...user, isProven };
  });
  if (!isProven) {
    await endAccessEverywhere(id, PROVEN, { requestId: ctx.requestId, ip: ctx.ip });
    await withoutWorkspace((db) => markEmailVerified(db, id));
  }
  noteOfUser((db) => findUserById(db, id), ctx, "user.password_changed", { by: "link" });
  await together([forgetGuesses(email), forgiveAttempt(tokensTried, networkOf(ctx.ip))]);
  return { email };
});

export const changePassword = implementUser(contract.changePassword, "signed-in", async (ctx, input) => {
  await requireGoodPassword(input.password, namesOf(ctx.session, await workspacesOf(ctx.session.userId)));
  await requirePassword(ctx, input.current_password);
  // The password alone does not change how someone with a second factor signs in.
  await requireGivenFactor(ctx.session);
  if (await hasFactor(ctx.session.userId)) requireProof(ctx.session.provenAt);
  const passwordHash = await hashPassword(input.password);
  const ended_sessions = await withoutWorkspace((db) =>
    setPassword(db, ctx.session.userId, { passwordHash }, ctx.session.id),
  );
  noteOfUser((db) => findUserById(db, ctx.session.userId), ctx, "user.password_changed", { by: "password" });
  return { ended_sessions };
});

export { type Owned, ownedBy } from "./service/owned.ts";

type PersonNames = { email: string; name?: string | null | undefined };

/** What others know of a person, and so try as a password. */
const namesOf = ({ email, name }: PersonNames, workspaces: readonly string[]): string[] => [
  email,
  name ?? "",
  ...workspaces,
];

const workspacesOf = async (userId: string): Promise<string[]> => (await membershipsOf(userId)).map(({ name }) => name);

/** Throws 400 `wrong_password` unless it is the user's, or they have none; 429 after too many guesses. */
async function requirePassword(ctx: SignedIn, password: string | undefined): Promise<void> {
  const { session } = ctx;
  const user = await withoutWorkspace((db) => findUserById(db, session.userId));
  if (!user) throw new Fault("session_required");
  if (user.passwordHash === null) return requireProof(session.provenAt);
  await notingRefusal(ctx, () => requireOwnPassword(user, password ?? "", "current_password"));
}

/** A new password ends every session but `except`, and withdraws open links for setting another. */
async function setPassword(
  db: Db,
  userId: string,
  password: Parameters<typeof updatePassword>[2],
  except: string | null,
): Promise<number> {
  await updatePassword(db, userId, password);
  await withdrawResets(db, userId);
  return markSessionsRevoked(db, userId, except);
}

/**
 * An operator's new password for someone who cannot sign in; when absent it is made up, and their next sign-in has to replace it. Ends their
 * sessions.
 */
export async function resetUserPassword(
  text: string,
  operator: string,
  wanted?: string,
): Promise<{ email: string; password: string }> {
  const user = await userAt(text);
  const { email } = user;
  const password = wanted ?? inventPassword();
  await requireGoodPassword(password, namesOf(user, await workspacesOf(user.id)));
  const passwordHash = await hashPassword(password);
  const passwordTemporary = wanted === undefined;
  await withoutWorkspace((db) => setPassword(db, user.id, { passwordHash, passwordTemporary }, null));
  await forgetGuesses(email);
  noteOfUser((db) => findUserByEmail(db, email), byOperator(operator), "user.password_changed", { by: "operator" });
  return { email, password };
}

/** An operator's help for who lost a device: ends the person's sessions, their connected clients, keys of logins and invitations. */
export async function endUserSessions(
  text: string,
  operator: string,
): Promise<{ email: string; ended_sessions: number }> {
  const { id, email } = await userAt(text);
  const ended_sessions = await withoutWorkspace((db) => markSessionsRevoked(db, id, null));
  const by = byOperator(operator);
  await endAccessEverywhere(id, "the operator ended its member's sessions", by);
  noteOfUser((db) => findUserById(db, id), by, "user.sessions_ended", { ended_sessions, by: "operator" });
  return { email, ended_sessions };
}

/** The user with this address. Throws 404 `user_not_found`. */
async function userAt(text: string): Promise<UserRow> {
  const email = EmailAddress.safeParse(text).data ?? "";
  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  if (!user) throw new Fault("user_not_found");
  return user;
}

/**
 * Keeps a person from signing in, whatever way, and ends their sessions, connected clients, keys of logins, invitations and links for a new
 * password. Their memberships and what they own stay.
 */
export async function disableUser(
  text: string,
  operator: string,
): Promise<{ userId: string; email: string; ended_sessions: number }> {
  const { id: userId, email } = await userAt(text);
  const { isNew, ended_sessions } = await withoutWorkspace(async (db) => {
    await lockUser(db, userId);
    const isNew = await markDisabled(db, userId, true);
    await withdrawResets(db, userId);
    return { isNew, ended_sessions: await markSessionsRevoked(db, userId, null) };
  });
  const by = byOperator(operator);
  await endAccessEverywhere(userId, "the operator disabled its member's account", by);
  if (isNew) noteOfUser((db) => findUserById(db, userId), by, "user.disabled", { ended_sessions });
  return { userId, email, ended_sessions };
}

/** Lets a disabled person sign in again; what ended stays ended. `enabled`: false when they were not disabled. */
export async function enableUser(text: string, operator: string): Promise<{ email: string; enabled: boolean }> {
  const { id, email } = await userAt(text);
  const enabled = await withoutWorkspace(async (db) => {
    await lockUser(db, id);
    const wasDisabled = await markDisabled(db, id, false);
    // One may have begun meanwhile.
    if (wasDisabled) await markSessionsRevoked(db, id, null);
    return wasDisabled;
  });
  if (enabled) noteOfUser((db) => findUserById(db, id), byOperator(operator), "user.enabled");
  return { email, enabled };
}

export const getProfile = implementUser(contract.getProfile, "signed-in", async ({ session }) =>
  withoutWorkspace(async (db) => {
    const { userId: id, email, name } = session;
    const [user, linked] = [await findUserById(db, id), await findProviders(db, id)];
    const providers = linked.map((name) => offeredAs(name) ?? { id: name, name: null });
    const { since, codesLeft: recovery_codes_left } = await factorState(db, id);
    const second_factor = since && { since: formatTime(since) };
    const passkeys = await passkeysOf(db, id);
    const has_password = user?.passwordHash != null;
    return { id, email, name, has_password, providers, second_factor, passkeys, recovery_codes_left };
  }),
);

export const updateProfile = implementUser(contract.updateProfile, "signed-in", async ({ session }, input) => {
  const name = input.name || null;
  await withoutWorkspace((db) => updateUserName(db, session.userId, name));
  return { name };
});

export const listSessions = implementUser(contract.listSessions, "signed-in", async ({ session }) => {
  const rows = await withoutWorkspace((db) => findSessions(db, session.userId, oldestStart()));
  return { sessions: rows.map((row) => sessionOfRow(row, session.id)) };
});

export const revokeSession = implementUser(contract.revokeSession, "signed-in", async (ctx, { id }) => {
  const { userId, id: own } = ctx.session;
  const ended_sessions = await withoutWorkspace(async (db) => {
    if (id === "others") return markSessionsRevoked(db, userId, own);
    if (!(await markSessionRevoked(db, userId, id))) throw new Fault("session_not_found");
    return 1;
  });
  if (ended_sessions > 0) noteOfUser((db) => findUserById(db, userId), ctx, "user.sessions_ended", { ended_sessions });
  return { ended_sessions };
});

/** A sign-in provider says by a logout token that sessions which began there have ended. Throws as `endSessionsByToken`. */
export async function logOutByProvider(token: string, from: { requestId: string; ip: string }): Promise<void> {
  const { provider, userIds } = await endSessionsByToken(token);
  for (const [userId, ended_sessions] of countsOf(userIds))
    noteOfUser((db) => findUserById(db, userId), from, "user.sessions_ended", { ended_sessions, provider });
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
