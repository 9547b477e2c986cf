import { createHash } from "node:crypto";
import { authenticateKey } from "#lib/auth/api-keys.ts";
import { type Calling, noteCall } from "#lib/auth/calls.ts";
import { noteKeyUse } from "#lib/auth/key-use.ts";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { type ErrorCode, errorBody, Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { DEFAULT_BODY_LIMIT } from "#lib/core/operation.ts";
import { beginPiece, endPiece } from "#lib/core/stalls.ts";
import { asFault } from "#lib/core/unavailable.ts";
import { authorize } from "#lib/domain/authority.ts";
import type { Operation } from "#lib/domain/implement.ts";
import type { Once } from "#lib/domain/once.ts";
import type { Download } from "#lib/domain/operation.ts";
import { givenLabel } from "#lib/text/client-label.ts";
import { corsHeaders } from "./cors.ts";
import { type Answer, CallerGone, type Exchange } from "./exchange.ts";
import { type Followed, streamOf, wantsEvents } from "./followed.ts";
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
type Authenticated = {
  caller: Caller;
  rateKey: string;
  keyPrefix?: string;
  /** The error for the next request of a deleted workspace. */
  gone: ErrorCode;
};

/** Turns the credentials of a request into a caller; throws 401 or 403. */
export type Authenticate = (exchange: Exchange, requestId: string, client: string | null) => Promise<Authenticated>;

/** Authentication of the REST API: a workspace API key. */
export const byApiKey: Authenticate = async (exchange, requestId, client) => {
  const grant = await authenticateKey(exchange.header("authorization"), exchange.ip);
  noteKeyUse(grant.workspaceId, grant.keyId, client);
  const { workspaceId, plan, scopes, keyId, prefix, approval } = grant;
  return {
    caller: {
      workspaceId,
      plan,
      scopes,
      role: null,
      actor: { type: "api_key", id: keyId },
      requestId,
      client,
      approval,
    },
    rateKey: keyId,
    keyPrefix: prefix,
    gone: "unauthorized",
  };
};

/**
 * Answers one request to an operation. Order of checks: request id, authentication, rate limit, plan, scope, body size,
 * parse, validate, service.
 */
export async function answer(
  operation: Operation,
  exchange: Exchange,
  authenticate: Authenticate = byApiKey,
): Promise<Answer> {
  const requestId = requestIdOf(exchange);
  let followed: Followed | undefined;
  let file: Download | null | undefined;
  const given = await answered(operation.contract.name, exchange, requestId, async (headers, note, calls) => {
    const client = givenLabel(exchange.header("x-service-client"));
    const found = await authenticate(exchange, requestId, client);
    const { rateKey, keyPrefix, gone } = found;
    let { caller } = found;
    note({ workspace_id: caller.workspaceId, key_prefix: keyPrefix });
    if (caller.actor.type === "api_key")
      calls({ workspaceId: caller.workspaceId, callerId: rateKey, client, path: operation.contract.http.path });
    countRequest(rateKey, headers);
    authorize(operation.contract, caller);
    const lookUp = async () => {
      const { caller: now } = await authenticate(exchange, requestId, client);
      authorize(operation.contract, now);
      return now;
    };
    const { http } = operation.contract;
    if (operation.receive && http.upload && isFile(exchange)) {
      const once = idempotency(exchange, null);
      const { fields, file } = await openUpload(operation.contract, exchange);
      const reply = await operation
        .receive(caller, fields, receivedFile(file, lookUp), once)
        .catch(async (error: unknown) => {
          throw (await wasDeleted(caller, error)) ? new Fault(gone) : error;
        });
      if (reply.replayed) headers["Idempotency-Replayed"] = "true";
      return reply;
    }
    const hasBody = http.method === "POST" || http.method === "PATCH";
    let body: Buffer | null = null;
    if (hasBody)
      ({ body, sender: caller } = await received(exchange, http.bodyLimit ?? DEFAULT_BODY_LIMIT, caller, lookUp));
    const once = http.method === "POST" ? idempotency(exchange, body) : null;
    const input = rawInput(operation.contract, exchange, body);
    try {
      if (operation.follow && wantsEvents(exchange)) {
        requireRoom(rateKey);
        const leave = new AbortController();
        const from = { lastEventId: exchange.header("last-event-id") ?? null, signal: leave.signal };
        const events = await operation.follow(caller, input, from);
        followed = { events, leave, caller, holder: rateKey, check: lookUp, requestId };
        return { status: 200, body: "" };
      }
      file = await operation.download?.(caller, input);
      if (file) return { status: 200, body: "" };
      const reply = await operation.reply({ ...caller, over: exchange.over }, input, once);
      if (reply.replayed) headers["Idempotency-Replayed"] = "true";
      return reply;
    } catch (error) {
      throw (await wasDeleted(caller, error)) ? new Fault(gone) : error;
    }
  });
  if (file && given.status === 200)
    return { ...given, headers: { ...given.headers, ...fileHeaders(file) }, body: bodyOf(file, requestId) };
  return followed ? { status: 200, headers: { ...given.headers, ...streamHeaders }, body: streamOf(followed) } : given;
}

const fileHeaders = ({ fileName, type }: Download) => ({
  "Content-Type": type,
  "Content-Disposition": `attachment; filename="${fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
});

const bodyOf = ({ lines }: Download, requestId: string) =>
  written(async (write) => {
    for await (const line of lines) await write(line);
  }, requestId);

/** True when an internal error happened because the caller's workspace was deleted meanwhile. */
const wasDeleted = async ({ workspaceId }: Caller, error: unknown): Promise<boolean> =>
  asFault(error).code === "internal_error" && !(await findWorkspace(workspaceId).catch(() => true));

/** The fields of a request's line in the log: ids, names and numbers. */
export type LogFields = Record<string, string | number | null | undefined>;

/** Who called what, of a request with a key or a token. `operation`: where the request is answered by another. */
type CallOf = Calling & { path: string; operation?: string };

/**
 * The work of a request: may add headers to its answer and fields to its line in the log, and says who calls, so that the
 * call is counted and kept with its result.
 */
export type Work = (
  headers: Record<string, string>,
  note: (fields: LogFields) => void,
  calls: (call: CallOf) => void,
) => Promise<{ status: number; body: string | null }>;

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
  const logged = (given: Answer): Answer => {
    const ms = Math.round((performance.now() - started) * 100) / 100;
    endPiece(fields, ms);
    logRequest({ ...fields, method: exchange.method, status: given.status, ms });
    if (call) {
      const { path, operation = name } = call;
      noteCall(call, { method: exchange.method, path, operation, status: given.status, ms });
    }
    return given;
  };
  let status: number;
  let body: string | null;
  try {
    const result = await traced(name, exchange, () => seeing(exchange, headers, () => work(headers, note, calls)));
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
  headers["X-Content-Type-Options"] = "nosniff";
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
