import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { sessionSecretsOf } from "#lib/settings/secrets.ts";
import { insertUsedChallenge } from "./queries/passkeys.ts";
import { sha256 } from "./secret-tokens.ts";

/** How long a person may take to use their passkey. */
export const CHALLENGE_MS = 300_000;

const RANDOM = 16;
const TIME = 6;
const SEAL = 32;

/** What a challenge is for: in which session it is answered, or a sign-in (null), and by a new passkey or one there is. */
export type ChallengeFor = { sessionId: string | null; purpose: "add" | "use" };

/**
 * A challenge says when it ends and is sealed for what it is for, so nothing is stored until it is answered. A stranger can make the
 * server mint many.
 */
export function mintChallenge(about: ChallengeFor, now = Date.now()): Buffer {
  const body = Buffer.concat([randomBytes(RANDOM), Buffer.alloc(TIME)]);
  body.writeUIntBE(now + CHALLENGE_MS, RANDOM, TIME);
  return Buffer.concat([body, sealOf(body, about, getBoot().secrets.sessionSecret)]);
}

/** Uses a challenge up. False for one that we did not mint for this, that has expired, or that was answered before. */
export async function takeChallenge(text: string, about: ChallengeFor, now = Date.now()): Promise<boolean> {
  const challenge = Buffer.from(text, "base64url");
  if (challenge.length !== RANDOM + TIME + SEAL) return false;
  const body = challenge.subarray(0, RANDOM + TIME);
  const seal = challenge.subarray(RANDOM + TIME);
  if (!sessionSecretsOf(getBoot().secrets).some((secret) => timingSafeEqual(seal, sealOf(body, about, secret))))
    return false;
  const expiresAt = body.readUIntBE(RANDOM, TIME);
  if (expiresAt <= now) return false;
  return withoutWorkspace((db) =>
    insertUsedChallenge(db, sha256(challenge.toString("base64url")), new Date(expiresAt)),
  );
}

const sealOf = (body: Buffer, { sessionId, purpose }: ChallengeFor, secret: string): Buffer =>
  createHmac("sha256", secret)
    .update(`passkey ${purpose} ${sessionId ?? "sign-in"} `)
    .update(body)
    .digest();
