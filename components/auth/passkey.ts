import { callUser } from "#components/api.ts";
import { addPasskey, beginPasskey, beginPasskeyUse } from "#components/operations/passkeys.ts";
import type { NewPasskey, PasskeyAnswer } from "#lib/core/passkeys.ts";

/* What talks to the browser about passkeys; no page waits for it. */

type Descriptor = { id: string; type: "public-key" };
type Creation = Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials: Descriptor[];
};
type Request = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & { challenge: string };

/** What a passkey is asked for: to sign in, or to confirm in the session there is that it is the reader. */
export type PasskeyUse = "sign-in" | "confirm";

/** Asks the reader for a passkey of this site. Throws a sentence for them. */
export async function askForPasskey(use: PasskeyUse): Promise<PasskeyAnswer> {
  suggested?.abort();
  const publicKey = await newRequest(use);
  return answerOf(await ask(() => navigator.credentials.get({ publicKey })));
}

/** The request whose passkeys the browser suggests in a field; it takes one request at a time. */
let suggested: AbortController | null = null;

/** A challenge counts for five minutes. */
const RENEWED_MS = 4 * 60_000;

/**
 * Waits until the reader chooses a passkey among what the browser suggests in a field (`autocomplete="… webauthn"`). Null: it
 * suggests none, or `signal` or `askForPasskey` ended it.
 */
export async function suggestedPasskey(signal: AbortSignal): Promise<PasskeyAnswer | null> {
  if (!("PublicKeyCredential" in window)) return null;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  while (!signal.aborted) {
    const publicKey = await newRequest("sign-in");
    suggested = new AbortController();
    const ends = AbortSignal.any([signal, suggested.signal]);
    const renews = AbortSignal.timeout(RENEWED_MS);
    const credential = await navigator.credentials
      .get({ publicKey, mediation: "conditional", signal: AbortSignal.any([ends, renews]) })
      .catch(() => null);
    if (credential instanceof PublicKeyCredential) return answerOf(credential);
    if (ends.aborted || !renews.aborted) return null;
  }
  return null;
}

async function newRequest(use: PasskeyUse): Promise<PublicKeyCredentialRequestOptions> {
  const { options } = await callUser(beginPasskeyUse, { signs_in: use === "sign-in" });
  const { challenge, ...rest } = options as unknown as Request;
  return { ...rest, challenge: bytes(challenge) };
}

function answerOf(credential: PublicKeyCredential): PasskeyAnswer {
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  return {
    id: credential.id,
    client_data: text(clientDataJSON),
    authenticator_data: text(authenticatorData),
    signature: text(signature),
    ...(userHandle ? { user_handle: text(userHandle) } : {}),
  };
}

/** Lets the reader's device make a passkey, and keeps it under this name. Throws a sentence for them. */
export async function makePasskey(name: string) {
  const { options } = await callUser(beginPasskey, {});
  const { challenge, user, excludeCredentials, ...rest } = options as unknown as Creation;
  const publicKey = {
    ...rest,
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map(({ id, type }) => ({ id: bytes(id), type })),
  };
  const credential = await ask(() => navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject } = credential.response as AuthenticatorAttestationResponse;
  const passkey: NewPasskey = {
    id: credential.id,
    client_data: text(clientDataJSON),
    attestation: text(attestationObject),
  };
  return callUser(addPasskey, { name, passkey });
}

async function ask(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!("credentials" in navigator) || !("PublicKeyCredential" in window))
    throw new Error("This browser has no passkeys, or this address is not one where it takes them.");
  const credential = await work().catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(CANCELLED);
  return credential;
}

const CANCELLED = "No passkey was used: you cancelled, it took too long, or there is none for this site.";

function reasonOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") return "That device already has a passkey of yours for this site.";
  if (name === "NotSupportedError" || name === "ConstraintError")
    return "This device cannot store passkeys that check who you are. Use another, or a password manager.";
  return CANCELLED;
}

const bytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
