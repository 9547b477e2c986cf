import { createHash, timingSafeEqual } from "node:crypto";
import { type Scope, scopes } from "#lib/core/plans.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { CONNECTION_DAYS, REFRESH_DAYS } from "./words.ts";

/** An authorization code is exchanged at once; RFC 6749 allows ten minutes. */
export const CODE_SECONDS = 60;
const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = REFRESH_DAYS * 86_400;
const CONNECTION_MS = CONNECTION_DAYS * DAY_MS;
/**
 * A refresh token may be used again for so long after its first use, while no token it gave was refreshed itself: the answer
 * may have been lost, or two windows of one client refreshed at once. Later, a second use is taken for theft.
 */
export const GRACE_SECONDS = 30;
/** Refresh tokens that one gives in that time at most. */
export const MOST_CHILDREN = 5;

/** How many seconds tokens last that are given at `now` by a connection that was approved at `since`; 0 once it has ended. */
export function lifetimes(since: Date, now: Date): { access: number; refresh: number } {
  const left = Math.max(0, Math.floor((since.getTime() + CONNECTION_MS - now.getTime()) / 1_000));
  return { access: Math.min(ACCESS_SECONDS, left), refresh: Math.min(REFRESH_SECONDS, left) };
}

export const grantTypes = ["authorization_code", "refresh_token"] as const;
export const authMethods = ["none", "client_secret_post", "client_secret_basic"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** What a client gets that asks for nothing in particular; metadata name the same. */
export const usualScopes: readonly Scope[] = ["read", "write"];

/** Printable ASCII: `URL` drops tabs and newlines silently, which a comparison must not. */
const VISIBLE = /^[\x21-\x7e]{1,2048}$/;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/i;

/**
 * A scheme of an app's own is a domain name of its maker in reverse, so it contains a dot (RFC 8252, 7.1). Those without one
 * may be anything that the person's system knows: `feed:javascript:…` runs a script, `ms-msdt:` starts a program.
 */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\//i;

/** True for an address that a code may be sent to. What it accepts is said by the message of `invalid_redirect_uri`. */
export function isRedirectUri(uri: string): boolean {
  if (!VISIBLE.test(uri) || uri.includes("#") || uri.includes("\\")) return false;
  const url = URL.parse(uri);
  if (url === null || url.username + url.password !== "") return false;
  if (url.protocol === "https:") return url.hostname !== "";
  return LOOPBACK.test(uri) || PRIVATE_USE.test(uri);
}

/** True when a code may be sent there: exactly one of the registered ones, or one that differs only in a loopback port. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  isRedirectUri(uri) && registered.some((other) => other === uri || samePlace(other) === samePlace(uri));

/** The address without the port of a loopback one: a program listens where there is room (RFC 8252, 7.3). */
const samePlace = (uri: string): string => uri.replace(LOOPBACK, (_, host: string) => `http://${host.toLowerCase()}`);

/** True for the origin of a page that a code may be sent to; the port of a loopback address does not matter. */
export const isOwnOrigin = (origin: string, registered: readonly string[]): boolean =>
  registered.some((uri) => originIn(uri) !== null && originIn(uri) === originIn(origin));

/** Null for the address of an app, which has no page. */
const originIn = (uri: string): string | null => {
  const loopback = LOOPBACK.exec(uri)?.[1];
  if (loopback !== undefined) return `http://${loopback.toLowerCase()}`;
  const url = URL.parse(uri);
  return url?.protocol === "https:" ? url.origin : null;
};

/** Where a client is: its host, `localhost` for a program on the person's computer, or the scheme of an app. */
export function hostOf(uri: string): string {
  if (LOOPBACK.test(uri)) return "localhost";
  const url = URL.parse(uri);
  return url?.protocol === "https:" ? url.host : (url?.protocol.replace(/:$/, "") ?? "");
}

/**
 * True for a client id that is the address of a metadata document: https, with a path, written as a browser writes it, and
 * without a query, fragment or credentials.
 */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > 500 || !VISIBLE.test(clientId)) return false;
  const url = URL.parse(clientId);
  const plain = url?.protocol === "https:" && url.pathname !== "/" && url.href === clientId;
  return plain && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}

/** The name without what could forge the page around it: control characters and marks that change the direction of text. */
export const plainName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 100);

/** Asked for by clients that want a refresh token; those that registered for one get it anyway. */
const IGNORED = "offline_access";

/** The scopes of a space-separated list in order; null when there is another word in it. Each implies those before it. */
export function scopesIn(text: string): Scope[] | null {
  const words = text.split(" ").filter((word) => word !== "" && word !== IGNORED);
  if (!words.every((word) => (scopes as readonly string[]).includes(word))) return null;
  return words.length === 0 ? [...usualScopes] : implied(words as Scope[]);
}

/** The scopes with those that they imply, the narrowest first. */
export const implied = (chosenScopes: readonly Scope[]): Scope[] =>
  scopes.slice(0, Math.max(...chosenScopes.map((scope) => scopes.indexOf(scope))) + 1);

/** A challenge that S256 can give. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** True when the verifier is the one behind the challenge (RFC 7636, 4.6). */
export function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const derived = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/** True when a `resource` parameter names this one; a slash at its end and the case of its host do not matter. */
export function namesResource(target: string, resource: string): boolean {
  const url = URL.parse(target);
  return url !== null && !target.includes("#") && url.href.replace(/\/$/, "") === resource;
}

/** The client's address with an answer in its query (RFC 6749, 4.1.2, and RFC 9207). */
export function answerTo(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.set(name, value);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}
