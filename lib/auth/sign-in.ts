import { Fault } from "#lib/core/errors.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { networkOf } from "./network.ts";
import { type CheckedPasskey, checkPasskey } from "./passkeys.ts";
import { hashPassword, isOutdated, verifyPassword } from "./passwords.ts";
import { isKnownAddress } from "./queries/sessions.ts";
import { findUserByEmail, type UserRow, updatePasswordHash } from "./queries/users.ts";
import { hasFactor, requireCode, type SecondFactor } from "./second-factor.ts";
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

/** Whose passkey answered, and whether rightly: then they are signed in by it alone. Throws 429 `rate_limited`. */
export async function signInWithPasskey(answer: PasskeyAnswer, address: string, ip: string): Promise<CheckedPasskey> {
  const from = networkOf(ip);
  await countAttempt(passkeyTries, from);
  const checked = await checkPasskey(answer, { sessionId: null, address });
  if (checked.right) await forgiveAttempt(passkeyTries, from);
  return checked;
}

/**
 * The user with this e-mail address and password, or null: the answer and its time are the same for an unknown address
 * and a wrong password. Only who has the right password learns that there is a second factor: throws 401 `code_required`, and 400
 * `wrong_code` or `wrong_passkey`. Throws 429 `rate_limited`.
 */
export async function signInWithPassword(
  credentials: GivenFactor & { email: string; password: string; ip: string },
): Promise<(UserRow & { factor: SecondFactor | null }) | null> {
  const parsed = EmailAddress.safeParse(credentials.email);
  // Even an impossible address is looked up, so that the time is the same.
  const email = parsed.success ? parsed.data : "";
  const from = networkOf(credentials.ip);
  const pair = `${email} ${from}`;
  const isKnown = await withoutWorkspace((db) => isKnownAddress(db, email, credentials.ip));
  await countAttempt(network, from);
  await countAttempt(guesses, pair);
  if (!isKnown) await countAttempt(target, email);

  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  const stored = user?.passwordHash ?? null;
  if (!(await verifyPassword(stored, credentials.password)) || !user || !stored) return null;
  const factor = (await hasFactor(user.id)) ? await requireFactor(user.id, credentials) : null;

  await together([forgetAttempts(guesses, pair), forgetAttempts(target, email), forgiveAttempt(network, from)]);
  if (isOutdated(stored)) {
    const renewed = await hashPassword(credentials.password);
    await withoutWorkspace((db) => updatePasswordHash(db, user.id, renewed));
  }
  return { ...user, factor };
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
