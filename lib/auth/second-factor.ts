import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";
import { Secret, TOTP } from "otpauth";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { seal, unseal } from "#lib/db/sealed.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { sessionSecretsOf } from "#lib/settings/secrets.ts";
import { slowHash } from "./passwords.ts";
import { countPasskeys } from "./queries/passkeys.ts";
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  type FactorRow,
  findFactor,
  insertFactor,
  markConfirmed,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from "./queries/second-factors.ts";
import { markProven, markSessionsRevoked, markWithoutFactor } from "./queries/sessions.ts";
import { lockUser } from "./queries/users.ts";
import { mintRecoveryCode, readRecoveryCode, recoveryCodeHash } from "./secret-tokens.ts";
import type { Session } from "./sessions.ts";
import { countAttempt, forgiveAttempt, type Throttle } from "./throttle.ts";

const PERIOD_SECONDS = 30;
/** Clocks of phones may be this many periods away. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Of a million codes three work at a time: at most some hundred guesses a day, by someone who has the password already. */
const codes: Throttle = { name: "second-factor", attempts: 5, seconds: 300, waits: [60, 300, 900] };

/** The secret of a second factor is sealed for its id. */
export const purposeOfFactor = (id: string): string => `second_factor:${id}:secret`;

const totpOf = (secret: Secret, label: string): TOTP =>
  new TOTP({ issuer: "Rapport", label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });

/** With what the second factor was given. */
export type SecondFactor = "app" | "recovery code" | "passkey";

export type NewFactor = { secret: string; uri: string; qr: { path: string; size: number } };

/** Makes a secret that waits for its first code. Throws 409 `second_factor_exists`. */
export async function beginFactor(userId: string, email: string): Promise<NewFactor> {
  const id = newId();
  const secret = new Secret({ size: 20 });
  const sealed = seal(purposeOfFactor(id), secret.base32);
  if (!(await withoutWorkspace((db) => insertFactor(db, { id, userId, secret: sealed }))))
    throw new Fault("second_factor_exists");
  const uri = totpOf(secret, email).toString();
  const picture = generate(uri);
  return { secret: secret.base32, uri, qr: { path: toSvgPath(picture), size: picture.size } };
}

/**
 * Turns the waiting factor on by its first code, and ends the person's other sessions. Throws 409 when none waits, 400 `wrong_code`.
 */
export async function confirmFactor(
  userId: string,
  code: string,
  sessionId: string,
): Promise<{ recoveryCodes: string[]; endedSessions: number }> {
  await countAttempt(codes, userId);
  const recovery = await newRecoveryCodes(userId);
  const confirmed = await withoutWorkspace(async (db) => {
    await lockUser(db, userId);
    const factor = await findFactor(db, userId);
    if (!factor) throw new Fault("second_factor_missing");
    if (factor.confirmedAt) throw new Fault("second_factor_exists");
    if (!(await isNextCode(db, factor, code)) || !(await markConfirmed(db, factor.id))) return null;
    await replaceRecoveryCodes(db, userId, recovery.hashes);
    await markProven(db, userId, sessionId, true);
    return { recoveryCodes: recovery.codes, endedSessions: await markSessionsRevoked(db, userId, sessionId) };
  });
  if (!confirmed) throw wrongCode();
  await forgiveAttempt(codes, userId);
  return confirmed;
}

/** New recovery codes in place of those before. Throws 409 `second_factor_missing`. */
export async function renewRecoveryCodes(userId: string): Promise<string[]> {
  const { codes: renewed, hashes } = await newRecoveryCodes(userId);
  return withoutWorkspace(async (db) => {
    if (!(await isGuarded(db, userId))) throw new Fault("second_factor_missing");
    await replaceRecoveryCodes(db, userId, hashes);
    return renewed;
  });
}

/** Whether the person has an app that makes codes. */
export const hasApp = async (userId: string): Promise<boolean> =>
  (await withoutWorkspace((db) => findFactor(db, userId)))?.confirmedAt != null;

/** Whether the person has a second factor, an app or a passkey, which is asked for after the password. */
export const hasFactor = (userId: string): Promise<boolean> => withoutWorkspace((db) => isGuarded(db, userId));

/** The same, in a transaction. */
export const isGuarded = async (db: Db, userId: string): Promise<boolean> =>
  (await findFactor(db, userId))?.confirmedAt != null || (await countPasskeys(db, userId)) > 0;

/**
 * Throws 403 `recent_sign_in_required` for who has a second factor and did not give it in this session, which a provider began: it
 * must not be enough to add another, or to remove the one there is.
 */
export async function requireGivenFactor({
  userId,
  secondFactor,
}: Pick<Session, "userId" | "secondFactor">): Promise<void> {
  if (!secondFactor && (await hasFactor(userId))) throw new Fault("recent_sign_in_required", {}, NOT_GIVEN);
}

const NOT_GIVEN =
  "You have a second factor and did not give it in this session: confirm with a passkey or a code, then send this again.";

/** Since when the app's codes are asked for, null without one; and how many recovery codes are left. */
export async function factorState(db: Db, userId: string): Promise<{ since: Date | null; codesLeft: number }> {
  const factor = await findFactor(db, userId);
  return { since: factor?.confirmedAt ?? null, codesLeft: await countRecoveryCodes(db, userId) };
}

/**
 * Removes a second factor by `remove`, which is false when there is none such. With the last one go the recovery codes, and what the
 * person's sessions proved; throws 409 `second_factor_demanded` where a workspace of theirs demands one.
 */
export const removeFactor = <T>(
  { userId, memberships }: Pick<Session, "userId" | "memberships">,
  remove: (db: Db) => Promise<T | null>,
): Promise<T | null> =>
  withoutWorkspace(async (db) => {
    await lockUser(db, userId);
    const removed = await remove(db);
    if (removed === null || (await isGuarded(db, userId))) return removed;
    const asking = memberships.find(({ demands }) => demands.includes("second_factor"));
    if (asking) throw new Fault("second_factor_demanded", {}, demandedBy(asking.name));
    await deleteRecoveryCodes(db, userId);
    await markWithoutFactor(db, userId);
    return removed;
  });

const demandedBy = (name: string): string =>
  `The workspace ${name} requires a second factor: set up another before you remove your last, or leave the workspace.`;

/**
 * Uses up a code of the person's app or one of their recovery codes; which of them it was. Throws 400 `wrong_code`, 409
 * `second_factor_missing`, and 429 `rate_limited` after too many guesses.
 */
export async function requireCode(userId: string, code: string): Promise<SecondFactor> {
  await countAttempt(codes, userId);
  const recovery = readRecoveryCode(code);
  const secrets = sessionSecretsOf(getBoot().secrets);
  const hashes = recovery === null ? [] : await together(secrets.map((secret) => hashOf(recovery, userId, secret)));
  const by = await withoutWorkspace(async (db) => {
    if (!(await isGuarded(db, userId))) throw new Fault("second_factor_missing");
    const factor = await findFactor(db, userId);
    if (factor?.confirmedAt && (await isNextCode(db, factor, code))) return "app";
    return (await takeRecoveryCode(db, userId, hashes)) ? "recovery code" : null;
  });
  if (!by) throw wrongCode();
  await forgiveAttempt(codes, userId);
  return by;
}

const wrongCode = () => new Fault("wrong_code", { parameter: "code" });

/** True for a code of now that was not used, which is then used up. */
async function isNextCode(db: Db, { id, secret }: FactorRow, code: string): Promise<boolean> {
  const base32 = unseal(purposeOfFactor(id), secret);
  const now = Date.now();
  const token = code.replaceAll(/\s/g, "");
  const delta = totpOf(Secret.fromBase32(base32), "").validate({ token, timestamp: now, window: WINDOW });
  return delta !== null && takeStep(db, id, Math.floor(now / 1_000 / PERIOD_SECONDS) + delta);
}

/** Ten codes and what is stored of them. Made before a transaction begins: the slow hashes take a moment. */
export async function newRecoveryCodes(userId: string): Promise<{ codes: string[]; hashes: Buffer[] }> {
  const minted = Array.from({ length: RECOVERY_CODES }, mintRecoveryCode);
  const { sessionSecret } = getBoot().secrets;
  return { codes: minted, hashes: await together(minted.map((code) => hashOf(code, userId, sessionSecret))) };
}

/** Needs the server's secret, and as long as a password's for each guess. */
const hashOf = (code: string, userId: string, secret: string): Promise<Buffer> =>
  slowHash(recoveryCodeHash(code, secret), userId);
