import { networkOf } from "#lib/auth/network.ts";
import { countAttempt, forgiveAttempt, requireAttemptsLeft, type Throttle } from "#lib/auth/throttle.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { checkJson, isBrokenText } from "#lib/core/json.ts";
import {
  type Credentials,
  isOwnOrigin,
  issueTokens,
  registerClient,
  revokeToken,
} from "#lib/domain/access/oauth/service.ts";
import { logOutByProvider } from "#lib/domain/workspace/users/service.ts";
import { answered } from "#lib/http/answer.ts";
import { unpacked } from "#lib/http/content-encoding.ts";
import { onlyFor } from "#lib/http/cors.ts";
import { type Exchange, handler, type RouteHandler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { jsonObject } from "#lib/http/parse.ts";
import { requestIdOf } from "#lib/http/request-id.ts";

const BODY_LIMIT = 16 * 1024;

/** Anyone may register a client, so one network may not do it without end. */
const registrations: Throttle = { name: "oauth-register", attempts: 60, seconds: 3600, waits: [60, 300, 900] };
/** Requests of one network that were refused; what succeeds is not counted. */
const refusals: Throttle = { name: "oauth-token", attempts: 120, seconds: 300, waits: [15, 60, 300] };

/** Logout tokens of one network that were refused: each may make this server ask the provider for its keys. */
const logouts: Throttle = { name: "backchannel-logout", attempts: 60, seconds: 300, waits: [15, 60, 300] };

const bodyOf = async (exchange: Exchange): Promise<Buffer> =>
  unpacked(exchange, await exchange.body(BODY_LIMIT), BODY_LIMIT);

/** The route handler of `POST /oauth/register` (RFC 7591). */
export const registration = (): RouteHandler =>
  endpoint("registerClient", async (exchange) => {
    await countAttempt(registrations, networkOf(exchange.ip));
    const body = await bodyOf(exchange).catch(asMetadataFault);
    const value = await registerClient(registrationIn(exchange, body));
    return { status: 201, value, redirectUris: value.redirect_uris };
  });

function asMetadataFault(error: unknown): never {
  if (!isFault(error) || error.code !== "payload_too_large") throw error;
  throw new Fault("invalid_client_metadata", {}, `The description is larger than ${BODY_LIMIT / 1024} KiB.`);
}

function registrationIn(exchange: Exchange, body: Buffer): unknown {
  try {
    const bodyFields = jsonObject(exchange, body);
    checkJson(bodyFields);
    return bodyFields;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new Fault("invalid_client_metadata", {}, error.message);
  }
}

/** The route handler of `POST /oauth/token`. */
export const tokens = (): RouteHandler =>
  endpoint("issueTokens", (exchange, requestId) =>
    counted(exchange, async () => {
      const fields = await fieldsOf(exchange);
      const { ip } = exchange;
      const asked = { credentials: credentialsIn(exchange, fields), fields, origin: originOf(exchange), requestId, ip };
      const { tokens: value, redirectUris } = await issueTokens(asked);
      return { status: 200, value, redirectUris };
    }),
  );

/** The route handler of `POST /oauth/revoke` (RFC 7009). */
export const revocation = (): RouteHandler =>
  endpoint("revokeToken", (exchange, requestId) =>
    counted(exchange, async () => {
      const fields = await fieldsOf(exchange);
      await revokeToken(credentialsIn(exchange, fields), fields.token, { requestId, ip: exchange.ip });
      return { status: 200, value: {} };
    }),
  );

/** The route handler of `POST /api/auth/backchannel-logout`, where a sign-in provider says that a session there has ended. */
export const backchannelLogout = (): RouteHandler =>
  endpoint("backchannelLogout", (exchange, requestId) =>
    countedWhenRefused(exchange, async () => {
      const { logout_token } = await fieldsOf(exchange);
      if (logout_token === undefined) throw new Fault("invalid_request", {}, "logout_token is missing.");
      await logOutByProvider(logout_token, { requestId, ip: exchange.ip });
      return { status: 200, value: {} };
    }),
  );

async function counted<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  const network = networkOf(exchange.ip);
  await countAttempt(refusals, network);
  const result = await work();
  await forgiveAttempt(refusals, network);
  return result;
}

/** A provider may send the tokens of all its people at once: those that are good are not counted, not even while they are checked. */
async function countedWhenRefused<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  const network = networkOf(exchange.ip);
  await requireAttemptsLeft(logouts, network);
  return work().catch(async (error: unknown) => {
    if (isFault(error)) await countAttempt(logouts, network);
    throw error;
  });
}

/** `redirectUris`: those of the client, where only its own pages may read the answer. */
type Result = { status: number; value: unknown; redirectUris?: readonly string[] };

/** An endpoint of OAuth: as any other of ours, except for the form of its errors (RFC 6749, 5.2). */
function endpoint(name: string, work: (exchange: Exchange, requestId: string) => Promise<Result>): RouteHandler {
  return handler(async (exchange) => {
    const requestId = requestIdOf(exchange);
    const answer = await answered(
      name,
      exchange,
      requestId,
      async ({ headers }) => {
        const { status, value, redirectUris } = await work(exchange, requestId);
        if (redirectUris) onlyFor(exchange, headers, (origin) => isOwnOrigin(origin, redirectUris));
        return { status, body: JSON.stringify(value) };
      },
      ({ code, message }) => ({ error: wireCode(code), error_description: message }),
    );
    answer.headers.Pragma = "no-cache";
    if (answer.status === 401 && exchange.header("authorization") !== undefined)
      answer.headers["WWW-Authenticate"] = 'Basic realm="oauth"';
    return answer;
  });
}

/** Our codes for what OAuth has its own codes for. */
const wireCodes: Readonly<Record<string, string>> = {
  internal_error: "server_error",
  not_ready: "temporarily_unavailable",
  rate_limited: "temporarily_unavailable",
  provider_unavailable: "temporarily_unavailable",
  payload_too_large: "invalid_request",
  unsupported_media_type: "invalid_request",
  invalid_logout_token: "invalid_request",
};

const wireCode = (code: string): string => wireCodes[code] ?? code;

/** The fields of a form. Throws 400 `invalid_request` for a field given twice (RFC 6749, 3.2), and for anything else than a form. */
async function fieldsOf(exchange: Exchange): Promise<Record<string, string | undefined>> {
  const body = await bodyOf(exchange);
  const [type] = (exchange.header("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== "application/x-www-form-urlencoded")
    throw new Fault("invalid_request", {}, "Send the body as application/x-www-form-urlencoded.");
  const fields: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body.toString("utf8"))) {
    if (name in fields) throw new Fault("invalid_request", {}, `${name.slice(0, 100)} is given more than once.`);
    if (isBrokenText(value)) throw new Fault("invalid_request", {}, `${name.slice(0, 100)} holds U+0000.`);
    if (value !== "") fields[name] = value; // without a value it counts as left out
  }
  return fields;
}

/** How the client says who it is: in the form, or by HTTP Basic (RFC 6749, 2.3.1). */
function credentialsIn(exchange: Exchange, fields: Readonly<Record<string, string | undefined>>): Credentials {
  const header = exchange.header("authorization");
  const inForm = { clientId: fields.client_id ?? null, secret: fields.client_secret ?? null };
  if (header === undefined) return inForm;
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1];
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  const inHeader = { clientId: decoded(id), secret: decoded(secret) };
  if (!inHeader.clientId || isBrokenText(inHeader.clientId)) throw new Fault("invalid_client");
  if (inForm.secret !== null) throw new Fault("invalid_request", {}, "Send the client secret in one way only.");
  if (inForm.clientId !== null && inForm.clientId !== inHeader.clientId) throw new Fault("invalid_client");
  return inHeader;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " ")) || null;
  } catch {
    return null;
  }
}
