import { Fault } from "#lib/core/errors.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { networkOf } from "./network.ts";
import { type CheckedPasskey, checkPasskey } from "./passkeys.ts";
import { hashPassword, isOutdated, requireGoodPassword, verifyPassword } from "./passwords.ts";
import { isKnownAddress } from "./queries/sessions.ts";
import { findUserByEmail, findUserById, type UserRow, updatePassword, updatePasswordHash } from "./queries/users.ts";
import { hasFactor, requireCode, type SecondFactor } from "./second-factor.ts";
import { membershipsOf } from "./sessions.ts";
import { countAttempt, forgetAttempts, forgiveAttempt, type Throttle } from "./throttle.ts";

/** One guesser at one user. */
const guesses: Throttle = { name: "sign-in", attempts: 5, seconds: 60, waits: [15, 30, 60, 120, 300, 900] };
/**
 * Many guessers at one user; not counted for addresses from which they have signed in before, so no one can lock
 * them out.
 */
const target: Throttle = { name: "sign-in-account", attempts: 20, seconds: 900, waits: [60, 120, 300, 900] };
/** One guesser at many users. */
const network: Throttle = { name: "sign-in-network", attempts: 100, seconds: 900, waits: [60, 300, 900] };

/** One guesser with passkeys: an answer is signed, so a right one is not guessed. */
const passkeyTries: Throttle = { name: "sign-in-passkey", attempts: 30, seconds: 900, waits: [60, 300, 900] };

/** With what the second factor is given. */
type GivenFactor = { code?: string | undefined; passkey?: { answer: PasskeyAnswer; address: string } | undefined };

/** Throws 403 `account_disabled`. */
export function requireEnabled(user: Pick<UserRow, "disabledAt"> | null): void {
  if (user?.disabledAt) throw new Fault("account_disabled");
}

/** Whose passkey answered, and whether rightly: then they are signed in by it alone. Throws 429 `rate_limited`, 403 `account_disabled`. */
export async function signInWithPasskey(answer: PasskeyAnswer, address: string, ip: string): Promise<CheckedPasskey> {
  const from = networkOf(ip);
  await countAttempt(passkeyTries, from);
  const checked = await checkPasskey(answer, { sessionId: null, address });
  if (!checked.right || checked.userId === null) return checked;
  await forgiveAttempt(passkeyTries, from);
  const { userId } = checked;
  requireEnabled(await withoutWorkspace((db) => findUserById(db, userId)));
  return checked;
}

/**
 * The user with this e-mail address and password, or null: the answer and its time are the same for an unknown address
 * and a wrong password. Only who has the right password learns more: throws 403 `account_disabled`, 401 `new_password_required` for a
 * password that was made up for them, which `newPassword` replaces, 401 `code_required` for a second factor, and 400
 * `wrong_code` or `wrong_passkey`. Throws 429 `rate_limited`; `whenSlowed`: called when the free tries for the address are used up.
 */
export async function signInWithPassword(
  credentials: GivenFactor & {
    email: string;
    password: string;
    newPassword?: string | undefined;
    ip: string;
    whenSlowed?: () => void;
  },
): Promise<(UserRow & { factor: SecondFactor | null }) | null> {
  const parsed = EmailAddress.safeParse(credentials.email);
  // Even an impossible address is looked up, so that the time is the same.
  const email = parsed.success ? parsed.data : "";
  const from = networkOf(credentials.ip);
  const pair = `${email} ${from}`;
  const isKnown = await withoutWorkspace((db) => isKnownAddress(db, email, credentials.ip));
  await countAttempt(network, from);
  await countAttempt(guesses, pair, credentials.whenSlowed);
  if (!isKnown) await countAttempt(target, email, credentials.whenSlowed);

  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  const stored = user?.passwordHash ?? null;
  if (!(await verifyPassword(stored, credentials.password)) || !user || !stored) return null;
  requireEnabled(user);
  const replacement = user.passwordTemporary ? await replacementFor(user, credentials) : null;
  const factor = (await hasFactor(user.id)) ? await requireFactor(user.id, credentials) : null;

  await together([forgetAttempts(guesses, pair), forgetAttempts(target, email), forgiveAttempt(network, from)]);
  if (replacement !== null) {
    await withoutWorkspace((db) => updatePassword(db, user.id, { passwordHash: replacement }));
  } else if (isOutdated(stored)) {
    const renewed = await hashPassword(credentials.password);
    await withoutWorkspace((db) => updatePasswordHash(db, user.id, renewed));
  }
  return { ...user, factor };
}

/**
 * The hash of what the person chose in place of a password that was made up for them. Throws 401 `new_password_required` without one, or
 * for the same, and 400 as `requireGoodPassword`.
 */
async function replacementFor(
  { id, email, name }: UserRow,
  { password, newPassword }: { password: string; newPassword?: string | undefined },
): Promise<string> {
  if (newPassword === undefined || newPassword === password) throw new Fault("new_password_required");
  const workspaces = (await membershipsOf(id)).map((membership) => membership.name);
  await requireGoodPassword(newPassword, [email, name ?? "", ...workspaces]);
  return hashPassword(newPassword);
}

async function requireFactor(userId: string, { code, passkey }: GivenFactor): Promise<SecondFactor> {
  if (passkey) {
    const { answer, address } = passkey;
    if (!(await checkPasskey(answer, { sessionId: null, address, userId })).right) throw new Fault("wrong_passkey");
    return "passkey";
  }
  if (!code) throw new Fault("code_required");
  return requireCode(userId, code);
}

/** After a new password was set through the mailbox or on the server, old guesses no longer count. */
export const forgetGuesses = (email: string): Promise<void> => forgetAttempts(target, email);
