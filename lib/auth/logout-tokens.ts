/** What a sign-in provider sends when a session there has ended (OpenID Connect Back-Channel Logout 1.0). */
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import type { OidcProvider } from "#lib/settings/oidc.ts";
import { metadataAddress, providerOfIssuer, requireIssuer } from "./oidc.ts";
import { insertUsedChallenge } from "./queries/passkeys.ts";
import { markSessionsOfProviderRevoked } from "./queries/sessions.ts";
import { findUserByLogin } from "./queries/users.ts";
import { sha256 } from "./secret-tokens.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** How old a token may be. It is remembered for longer, so that none is taken twice. */
const MAX_AGE_S = 300;
const TOLERANCE_S = 60;
const REMEMBERED_MS = 2 * (MAX_AGE_S + TOLERANCE_S) * 1_000;

const Payload = z.object({
  iss: z.string(),
  iat: z.number(),
  jti: z.string().min(1),
  events: z.object({ [EVENT]: z.record(z.string(), z.unknown()) }),
  sub: z.string().min(1).nullish(),
  sid: z.string().min(1).nullish(),
  nonce: z.never().optional(),
});

type Logout = { provider: OidcProvider; jti: string; sub: string | null; sid: string | null };

/**
 * Ends the sessions that a logout token names. Which provider, and whose sessions, one entry for each. Throws 400 `invalid_logout_token`, also for
 * one that was taken before, and 502 `provider_unavailable` when the provider's keys cannot be read.
 */
export async function endSessionsByToken(token: string): Promise<{ provider: string; userIds: string[] }> {
  const { provider, jti, sub, sid } = await openLogoutToken(token);
  const { issuer, name } = provider;
  return withoutWorkspace(async (db) => {
    const hash = sha256(`logout ${issuer} ${jti}`);
    if (!(await insertUsedChallenge(db, hash, new Date(Date.now() + REMEMBERED_MS))))
      throw wrong("It was sent before.");
    const user = sub === null ? null : await findUserByLogin(db, issuer, sub);
    if (sub !== null && !user) return { provider: name, userIds: [] };
    const userIds = await markSessionsOfProviderRevoked(db, { issuer, userId: user?.id ?? null, sid });
    return { provider: name, userIds };
  });
}

const wrong = (why: string) => new Fault("invalid_logout_token", {}, why);

async function openLogoutToken(token: string): Promise<Logout> {
  const provider = providerOfIssuer(issuerIn(token));
  if (!provider) throw wrong("No sign-in provider of this server has its issuer.");
  const { keys, issuer } = await keysOf(provider);
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: provider.clientId,
    algorithms: ["RS256"], // as of ID tokens
    maxTokenAge: MAX_AGE_S,
    clockTolerance: TOLERANCE_S,
  }).catch(asRefusal);
  const type = (protectedHeader.typ ?? "JWT").toLowerCase().replace(/^application\//, "");
  if (type !== "jwt" && type !== "logout+jwt") throw wrong(`Its type is ${type}.`);
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) throw wrong(`Its ${parsed.error.issues[0]?.path.join(".")} is not that of a logout token.`);
  const { jti, sub = null, sid = null } = parsed.data;
  if (sub === null && sid === null) throw wrong("It names neither a person (sub) nor a session (sid).");
  return { provider, jti, sub, sid };
}

/** Who it says has made it; nothing of it is believed yet. */
function issuerIn(token: string): string {
  try {
    const { iss }: { iss?: unknown } = decodeJwt(token);
    return typeof iss === "string" ? iss : "";
  } catch {
    throw wrong("It is no JSON Web Token.");
  }
}

function asRefusal(error: unknown): never {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw unavailable(error);
  if (error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC")
    throw wrong(`It was refused: ${error.message}.`);
  throw unavailable(error);
}

function unavailable(err: unknown): Fault {
  log.warn({ err }, "the keys of a sign-in provider cannot be read");
  return new Fault("provider_unavailable");
}

type Keys = { keys: ReturnType<typeof createRemoteJWKSet>; issuer: string; readAt: number };

/** The keys of each issuer; its metadata are read again after a while, and keys when a token names one that is not known. */
const known = singleton("logout-keys", () => ({ byIssuer: new Map<string, Keys>() }));
const KEPT_MS = 600_000;
const PATIENCE_MS = 5_000;

async function keysOf({ issuer }: OidcProvider): Promise<Keys> {
  const kept = known.byIssuer.get(issuer);
  if (kept && Date.now() - kept.readAt < KEPT_MS) return kept;
  const read = await readKeys(issuer).catch((error: unknown) => {
    throw unavailable(error);
  });
  known.byIssuer.set(issuer, read);
  return read;
}

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

async function readKeys(issuer: string): Promise<Keys> {
  const response = await fetch(metadataAddress(issuer), {
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`${issuer} answered ${response.status} for its metadata`);
  const metadata = Metadata.parse(await response.json());
  requireIssuer(metadata.issuer, issuer);
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: PATIENCE_MS });
  return { keys, issuer: metadata.issuer, readAt: Date.now() };
}
