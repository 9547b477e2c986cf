import { isIP } from "node:net";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import type { NewPasskey, PasskeyAnswer } from "#lib/core/passkeys.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { CHALLENGE_MS, type ChallengeFor, mintChallenge, takeChallenge } from "./passkey-challenges.ts";
import { findPasskeyByCredential, findPasskeys, takeUse, type UsablePasskey } from "./queries/passkeys.ts";

/** EdDSA, ES256 and RS256 (COSE), best first. */
const ALGORITHMS = [-8, -7, -257];

/** Where passkeys of this server belong: browsers bind them to a domain, and use them over https or on this computer. */
type Place = { rpId: string; origin: string };

/** Whether browsers take passkeys at this address. */
export function takesPasskeys(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isOwn = hostname === "localhost" || hostname.endsWith(".localhost");
  return isIP(hostname.replaceAll(/[[\]]/g, "")) === 0 && (protocol === "https:" || isOwn);
}

/** Throws 409 `passkeys_not_possible` where browsers would refuse them. */
function placeOf(address: string): Place {
  if (!takesPasskeys(address)) throw new Fault("passkeys_not_possible");
  const { hostname, origin } = new URL(address);
  return { rpId: hostname, origin };
}

/** The id of its person in a passkey. */
const handleOf = (userId: string): string => Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");

/** What the browser makes a new passkey of the person from (`PublicKeyCredentialCreationOptionsJSON`). */
export async function creationOptions(
  user: { userId: string; email: string; name: string | null },
  sessionId: string,
  address: string,
) {
  const { rpId } = placeOf(address);
  const own = await withoutWorkspace((db) => findPasskeys(db, user.userId));
  return {
    challenge: mintChallenge({ sessionId, purpose: "add" }).toString("base64url"),
    rp: { id: rpId, name: "Rapport" },
    user: { id: handleOf(user.userId), name: user.email, displayName: user.name ?? user.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
    excludeCredentials: own.map(({ credentialId }) => ({
      type: "public-key" as const,
      id: Buffer.from(credentialId).toString("base64url"),
    })),
    authenticatorSelection: { residentKey: "required" as const, userVerification: "required" as const },
    attestation: "none" as const,
    timeout: CHALLENGE_MS,
  };
}

/** What the browser asks for a passkey with (`PublicKeyCredentialRequestOptionsJSON`). Any of this site's may answer. */
export function requestOptions(sessionId: string | null, address: string) {
  const { rpId } = placeOf(address);
  const challenge = mintChallenge({ sessionId, purpose: "use" }).toString("base64url");
  return { challenge, rpId, userVerification: "required" as const, timeout: CHALLENGE_MS };
}

/** The key of a new passkey; null when the browser's answer is not right. */
export async function checkNewPasskey(made: NewPasskey, sessionId: string, address: string) {
  const { rpId, origin } = placeOf(address);
  const challenge = await challengeIn(made.client_data, { sessionId, purpose: "add" });
  if (challenge === null) return null;
  return unlessWrong(async () => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id: made.id, rawId: made.id, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON: made.client_data, attestationObject: withoutStatement(made.attestation) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || registrationInfo.credential.id !== made.id) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: bytesOf(id), publicKey: new Uint8Array(publicKey), counter: BigInt(counter) };
  });
}

/**
 * Nothing here depends on who made the device, and to check its maker's certificate would mean to ask addresses that the sender chose:
 * the statement is left out before anything reads it.
 */
function withoutStatement(attestation: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation)).get("authData");
  const fields: [string, unknown][] = [
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ];
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(fields) as never));
}

/** Whose passkey answered, as far as that is known, and whether the answer is right. */
export type CheckedPasskey = { userId: string | null; right: boolean };

/**
 * Checks a passkey's answer and uses its challenge up, right or not. `sessionId`: in which it was asked for; null for a sign-in.
 * `userId`: whose passkey it must be, where that is known.
 */
export async function checkPasskey(
  answer: PasskeyAnswer,
  { sessionId, address, userId = null }: { sessionId: string | null; address: string; userId?: string | null },
): Promise<CheckedPasskey> {
  const place = placeOf(address);
  const challenge = await challengeIn(answer.client_data, { sessionId, purpose: "use" });
  const passkey = await withoutWorkspace((db) => findPasskeyByCredential(db, bytesOf(answer.id)));
  const wrong = { userId: passkey?.userId ?? null, right: false };
  if (!passkey || challenge === null) return wrong;
  if (userId !== null && passkey.userId !== userId) return wrong;
  if (answer.user_handle !== undefined && answer.user_handle !== handleOf(passkey.userId)) return wrong;
  const counter = await unlessWrong(() => counterOf(answer, passkey, challenge, place));
  if (counter === null) return wrong;
  return { userId: passkey.userId, right: await withoutWorkspace((db: Db) => takeUse(db, passkey.id, counter)) };
}

/** How far the device has counted; null when the answer is not signed by the passkey. Throws what else is wrong with it. */
async function counterOf(
  answer: PasskeyAnswer,
  { publicKey, counter }: UsablePasskey,
  expectedChallenge: string,
  { rpId, origin }: Place,
): Promise<bigint | null> {
  const { id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = answer;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id, publicKey, counter: Number(counter) },
    requireUserVerification: true,
  });
  return verified ? BigInt(authenticationInfo.newCounter) : null;
}

/** The challenge that an answer is to, once it is used up; null when it is none of ours for this. */
async function challengeIn(clientData: string, about: ChallengeFor): Promise<string | null> {
  const challenge = challengeOf(clientData);
  return challenge !== null && (await takeChallenge(challenge, about)) ? challenge : null;
}

function challengeOf(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, "base64url").toString());
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** The library throws for each thing that is wrong with an answer; what it says is for our log only. */
async function unlessWrong<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check();
  } catch (error) {
    log.info({ reason: error instanceof Error ? error.message : String(error) }, "a passkey was refused");
    return null;
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));
