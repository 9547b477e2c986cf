import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * How one kind of webhook is signed, as data. `HMAC-SHA256(key of the secret, signed content)` is in `header`, as lower
 * or upper case hex, or as base64 in a list of `<version>,<mac>` of which any may match (a sender rotating its secret
 * signs with both). With `stamp`, the delivery's id and its time in seconds are part of what is signed.
 */
export type SigningScheme = {
  readonly header: string;
  readonly encoding: "hex" | "base64";
  /** `text`: the secret's UTF-8 bytes. `whsec`: `whsec_` and the key's bytes in base64, as Standard Webhooks has it. */
  readonly key: "text" | "whsec";
  readonly version?: string;
  readonly stamp?: { readonly id: string; readonly time: string; readonly toleranceSeconds: number };
};

/** https://www.standardwebhooks.com 1.0.0, symmetric signatures. */
export const standardWebhooks: SigningScheme = {
  header: "webhook-signature",
  encoding: "base64",
  key: "whsec",
  version: "v1",
  stamp: { id: "webhook-id", time: "webhook-timestamp", toleranceSeconds: 300 },
};

/** Why a delivery is not believed: codes of the one table (errors.ts). */
export type Distrust =
  | "signature_missing"
  | "signing_secret_not_configured"
  | "timestamp_out_of_tolerance"
  | "invalid_signature";

/** A delivery's signature data from its headers, before its body is read. */
export type Signature = {
  readonly scheme: SigningScheme;
  readonly macs: readonly string[];
  readonly keys: readonly Buffer[];
  /** the sender's id of the delivery, the same over its retries; part of what is signed */
  readonly id: string | undefined;
  readonly time: string | undefined;
};

/** Looks up a header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/** Reads the headers of a delivery; returns the reason when it cannot be verified whatever its body is. */
export function readSignature(
  scheme: SigningScheme,
  secret: string | null,
  header: HeaderOf,
  now: Date = new Date(),
): Signature | Distrust {
  const { stamp } = scheme;
  const signature = header(scheme.header)?.trim();
  const id = stamp && header(stamp.id);
  const time = stamp && header(stamp.time);
  if (!signature || (stamp && !(id && time))) return "signature_missing";
  const keys = keysOf(scheme, secret);
  if (keys.length === 0) return "signing_secret_not_configured";
  if (stamp) {
    if (!/^\d{1,15}$/.test(time as string)) return "invalid_signature";
    const age = Math.abs(Math.floor(now.getTime() / 1000) - Number(time));
    if (age > stamp.toleranceSeconds) return "timestamp_out_of_tolerance";
  }
  return { scheme, macs: macsIn(scheme, signature), keys, id, time };
}

/** Whether the signature is valid for the bytes as they were received. */
export function isProven({ scheme, macs, keys, id, time }: Signature, body: Buffer): boolean {
  const expected = keys.map((key) => Buffer.from(macOf(scheme, key, { id, time }, body)));
  // Every pair is compared, each in constant time: the duration reveals nothing about what matched.
  let matches = 0;
  for (const mac of macs) {
    const bytes = Buffer.from(mac);
    for (const wanted of expected) {
      if (bytes.length === wanted.length && timingSafeEqual(bytes, wanted)) matches++;
    }
  }
  return matches > 0;
}

/** The headers of a signed delivery. Throws when the secret is not one of the scheme. */
export function signatureHeaders(
  scheme: SigningScheme,
  secret: string,
  body: string | Buffer,
  { id, at = new Date() }: { id: string; at?: Date },
): Record<string, string> {
  const [key] = keysOf(scheme, secret);
  if (!key) throw new Error("not a signing secret");
  const time = String(Math.floor(at.getTime() / 1000));
  const mac = macOf(scheme, key, { id, time }, body);
  return {
    [scheme.header]: scheme.version ? `${scheme.version},${mac}` : mac,
    ...(scheme.stamp ? { [scheme.stamp.id]: id, [scheme.stamp.time]: time } : {}),
  };
}

/** True for a secret that can verify anything under the scheme. */
export const canSign = (scheme: SigningScheme, secret: string): boolean => keysOf(scheme, secret).length > 0;

/** A rotation never needs more signatures in one header; each costs a comparison. */
const MOST_SIGNATURES = 20;

function macsIn({ encoding, version }: SigningScheme, signature: string): string[] {
  if (!version) return [encoding === "hex" ? signature.toLowerCase() : signature];
  return signature
    .split(/[\s]+/)
    .slice(0, MOST_SIGNATURES)
    .filter((part) => part.startsWith(`${version},`))
    .map((part) => part.slice(version.length + 1).replace(/,$/, "")); // several headers arrive joined by ", "
}

function macOf(
  { encoding, stamp }: SigningScheme,
  key: Buffer,
  { id, time }: { id?: string | undefined; time?: string | undefined },
  body: string | Buffer,
): string {
  const hmac = createHmac("sha256", key);
  if (stamp) hmac.update(`${id}.${time}.`);
  return hmac.update(body).digest(encoding);
}

const PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The keys a secret may mean; none when it is empty or broken. A Standard Webhooks secret without its prefix is used
 * both as base64 and as plain text, so both are tried.
 */
function keysOf({ key }: SigningScheme, secret: string | null): Buffer[] {
  const text = secret?.trim() ?? "";
  if (key === "text") return text === "" ? [] : [Buffer.from(text)];
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const decoded = BASE64.test(encoded) ? Buffer.from(encoded, "base64") : Buffer.alloc(0);
  const plain = text.startsWith(PREFIX) ? [] : [Buffer.from(text)];
  return [decoded, ...plain].filter((bytes) => bytes.length > 0);
}
