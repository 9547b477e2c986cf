import { createHash } from "node:crypto";
import { authenticateKey } from "#lib/auth/api-keys.ts";
import { type Calling, noteCall } from "#lib/auth/calls.ts";
import { noteKeyUse } from "#lib/auth/key-use.ts";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { type ErrorCode, errorBody, Fault } from "#lib/core/errors.ts";
import { areSame, noLimits } from "#lib/core/limits.ts";
import { log } from "#lib/core/log.ts";
import { bodyLimit, type Contract, hasBody } from "#lib/core/operation.ts";
import { beginPiece, endPiece } from "#lib/core/stalls.ts";
import { asFault } from "#lib/core/unavailable.ts";
import type { Visitor } from "#lib/domain/implement-user.ts";
import type { Once } from "#lib/domain/once.ts";
import type { Calls, Download, From } from "#lib/domain/operation.ts";
import { givenLabel } from "#lib/text/client-label.ts";
import { corsHeaders } from "./cors.ts";
import { type Answer, CallerGone, type Exchange, type Streaming } from "./exchange.ts";
import { streamOf, wantsEvents } from "./followed.ts";
import { rawInput } from "./parse.ts";
import { seeing } from "./position.ts";
import { countRequest } from "./rate-limit.ts";
import { received, receivedFile } from "./received.ts";
import { requestIdOf } from "./request-id.ts";
import { logRequest } from "./request-log.ts";
import { requireRoom, streamHeaders } from "./streams.ts";
import { traced } from "./telemetry.ts";
import { isFile, openUpload } from "./upload.ts";
import { written } from "./written.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Who is calling, as far as the transport can tell: the caller and the id the rate limit counts by. */
type AuthenticatedCaller<C = Caller> = {
  caller: C;
  rateKey: string;
  keyPrefix?: string;
  /** The error for the next request of a deleted workspace. */
  gone?: ErrorCode;
};

/** Turns the credentials of a request that arrived `age` seconds ago into a caller; throws 401 or 403. */
export type Authenticate<C = Caller> = (
  exchange: Exchange,
  requestId: string,
  client: string | null,
  age?: number,
) => Promise<AuthenticatedCaller<C>>;

/** Authentication of the REST API: a workspace API key. */
export const byApiKey: Authenticate = async (exchange, requestId, client) => {
  const grant = await authenticateKey(exchange.header("authorization"), exchange.ip);
  noteKeyUse(grant.workspaceId, grant.keyId, client);
  const { workspaceId, plan, scopes, keyId, prefix, approval, limits, loginUserId } = grant;
  return {
    caller: {
      ...(loginUserId === null ? {} : { viewer: loginUserId }),
      workspaceId,
      plan,
      scopes,
      role: null,
      actor: { type: "api_key", id: keyId },
      requestId,
      client,
      ip: exchange.ip,
      approval,
      ...(limits ? { limits } : {}),
    },
    rateKey: keyId,
    keyPrefix: prefix,
    gone: "unauthorized",
  };
};

/** Finds out who calls, notes it, and counts the request. `path`: as the log of calls names it. */
export async function enter<C extends Caller | Visitor>(
  exchange: Exchange,
  requestId: string,
  authenticate: Authenticate<C>,
  { headers, note, calls }: Frame,
  path: string,
) {
  const client = givenLabel(exchange.header("x-service-client"));
  const authenticated = await authenticate(exchange, requestId, client);
  const { caller, rateKey, keyPrefix } = authenticated;
  if ("workspaceId" in caller) {
    note({ workspace_id: caller.workspaceId, user_id: caller.viewer, key_prefix: keyPrefix });
    if (caller.actor.type === "api_key") calls({ workspaceId: caller.workspaceId, callerId: rateKey, client, path });
  } else note({ user_id: caller.session?.userId });
  countRequest(rateKey, headers);
  return { ...authenticated, again: (age = 0) => authenticate(exchange, requestId, client, age) };
}

/** An operation as this transport needs it: of a workspace, or of a person. */
type Answering<C> = {
  contract: Contract;
  allow(caller: C): Pick<Calls, "reply"> & Partial<Calls>;
  also?: Also | undefined;
};
type Also = { file?: unknown; events?: unknown };

/**
 * Answers one request to an operation. Order of checks: request id, authentication, rate limit, plan, scope, body size,
 * parse, validate, service.
 */
export function answer<C extends Caller | Visitor>(
  operation: Answering<C>,
  exchange: Exchange,
  authenticate: Authenticate<C>,
): Promise<Answer> {
  const { contract, also } = operation;
  const requestId = requestIdOf(exchange);
  return answered(contract.name, exchange, requestId, async (frame) => {
    const { headers } = frame;
    const since = performance.now();
    const entered = await enter(exchange, requestId, authenticate, frame, contract.http.path);
    const { rateKey, again } = entered;
    const allow = ({ caller }: { caller: C }) => ({
      caller,
      may: operation.allow({ ...caller, over: () => exchange.over() }),
    });
    const lookUp = async (age?: number) => allow(await again(age));
    let sender = allow(entered);
    const reply = async (...args: Parameters<Calls["reply"]>) => {
      const { replayed, ...sent } = await sender.may.reply(...args);
      if (replayed) headers["Idempotency-Replayed"] = "true";
      return sent;
    };
    const attempt = async <T>(work: () => Promise<T>) =>
      work().catch(async (error: unknown) => {
        throw entered.gone && (await wasDeleted(sender.caller, error)) ? new Fault(entered.gone) : error;
      });
    if (contract.http.body?.file && isFile(exchange)) {
      const once = idempotency(exchange, null);
      const { fields, file } = await openUpload(contract, exchange);
      return attempt(() => reply(fields, once, receivedFile(file, { since, lookUp })));
    }
    let body: Buffer | null = null;
    if (hasBody(contract))
      ({ body, sender } = await received(exchange, bodyLimit(contract), sender, { since, lookUp }));
    const once = contract.http.method === "POST" && contract.surface !== "user" ? idempotency(exchange, body) : null;
    const input = rawInput(contract, exchange, body);
    if (!also) return attempt(() => reply(input, once));
    const leave = new AbortController();
    const from = also.events && wantsEvents(exchange) ? fromOf(exchange, leave) : null;
    if (from) requireRoom(rateKey);
    const stream = await attempt(async () => sender.may.stream?.(input, from) ?? null);
    if (!stream) return attempt(() => reply(input, once));
    if ("file" in stream) {
      Object.assign(headers, fileHeaders(stream.file));
      return { status: 200, body: fileOf(stream.file, requestId) };
    }
    Object.assign(headers, streamHeaders);
    const { events } = stream;
    const caller = sender.caller as Caller;
    const check = async () => requireSameLimits(caller, (await lookUp()).caller as Caller);
    const followed = { events, leave, caller, holder: rateKey, check, requestId };
    return { status: 200, body: streamOf(followed) };
  });
}

/** What is open keeps to the limits that it began with, so it ends when they change. */
export function requireSameLimits({ limits: before }: Caller, { limits: now }: Caller): void {
  if (!areSame(before ?? noLimits, now ?? noLimits)) throw new Fault("beyond_limits");
}

const fromOf = (exchange: Exchange, { signal }: AbortController): From => ({
  lastEventId: exchange.header("last-event-id") ?? null,
  signal,
});

const fileHeaders = ({ fileName, type }: Download) => ({
  "Content-Type": type,
  "Content-Disposition": `attachment; filename="${fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
});

const fileOf = ({ lines }: Download, requestId: string) =>
  written(async (write) => {
    for await (const line of lines) await write(line);
  }, requestId);

/** True when a request failed because the caller's workspace was deleted meanwhile. */
const wasDeleted = async (caller: Caller | Visitor, error: unknown): Promise<boolean> =>
  "workspaceId" in caller &&
  ["internal_error", "not_ready"].includes(asFault(error).code) &&
  !(await findWorkspace(caller.workspaceId).catch(() => true));

/** The fields of a request's line in the log: ids, names and numbers. */
export type LogFields = Record<string, string | number | null | undefined>;

/** Who called what, of a request with a key or a token. `operation`: where the request is answered by another. */
type CallOf = Calling & { path: string; operation?: string };

/** What the work of a request may say besides its answer. */
export type Frame = {
  /** Headers of the answer. */
  headers: Record<string, string>;
  /** Adds fields to the request's line in the log. */
  note(fields: LogFields): void;
  /** Says who calls, so that the call is counted and kept with its result. */
  calls(call: CallOf): void;
};

/** A response is JSON, or it is written as it is made: a file or a stream of events, which sets its own `Content-Type`. */
export type Work = (frame: Frame) => Promise<{ status: number; body: string | Streaming | null }>;

/**
 * Runs `work` and turns its result or fault into the answer, logged in one line. `wireOf` is the body of a fault. Never
 * rejects.
 */
export async function answered(
  name: string,
  exchange: Exchange,
  requestId: string,
  work: Work,
  wireOf: (fault: Fault, requestId: string) => unknown = errorBody,
): Promise<Answer> {
  const started = performance.now();
  const headers: Record<string, string> = { "x-request-id": requestId, ...corsHeaders(exchange) };
  const fields: LogFields = { request_id: requestId, operation: name };
  const note = (more: LogFields) => Object.assign(fields, more);
  let call: CallOf | undefined;
  const calls = (made: CallOf) => {
    call = made;
  };
  beginPiece(fields);
  const logged = (logLine: Answer): Answer => {
    const ms = Math.round((performance.now() - started) * 100) / 100;
    endPiece(fields, ms);
    note({ method: exchange.method, status: logLine.status, ms });
    logRequest(fields);
    if (call) {
      const { path, operation = name } = call;
      noteCall(call, { method: exchange.method, path, operation, status: logLine.status, ms });
    }
    return logLine;
  };
  let status: number;
  let body: Answer["body"];
  try {
    const result = await traced(name, exchange, () => seeing(exchange, headers, () => work({ headers, note, calls })));
    status = result.status;
    body = status === 204 ? null : result.body;
  } catch (error) {
    if (error instanceof CallerGone) return logged({ status: 499, headers, body: null });
    const fault = asFault(error);
    if (fault.code === "internal_error") log.error({ ...fields, err: error }, "request failed");
    status = fault.status;
    const { retry_after } = fault.extras;
    if (typeof retry_after === "number") headers["Retry-After"] = String(retry_after);
    if (fault.code === "unauthorized") headers["WWW-Authenticate"] ??= "Bearer";
    if (fault.code === "method_not_allowed" && Array.isArray(fault.extras.allowed))
      headers.Allow = fault.extras.allowed.join(", ");
    body = JSON.stringify(wireOf(fault, requestId));
    note({ error: fault.code, ...(fault.code === "not_ready" ? { reason: reasonOf(error) } : {}) });
  }
  if (body !== null) headers["Content-Type"] ??= "application/json; charset=utf-8";
  headers["Cache-Control"] ??= "no-store";
  return logged({ status, headers, body });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function idempotency(exchange: Exchange, body: Buffer | null): Once | null {
  const key = exchange.header("idempotency-key");
  if (key === undefined) return null;
  if (!IDEMPOTENCY_KEY.test(key)) throw new Fault("invalid_idempotency_key");
  const fingerprint = createHash("sha256")
    .update(`${exchange.method} ${exchange.path}?${exchange.query}\n`)
    .update(body ?? "")
    .digest();
  return { key, fingerprint };
}
