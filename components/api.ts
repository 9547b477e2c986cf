import type { z } from "zod";
import { askToConfirm } from "#components/auth/confirming.ts";
import { leadToDemand } from "#components/auth/demanded.ts";
import { connectionHolds, suspectLoss } from "#components/ui/connection.ts";
import type { ErrorCode } from "#lib/core/errors.ts";
import { addressOf, type Contract, type Method, queryOf } from "#lib/core/operation.ts";

/**
 * What the browser must know about an operation to call it. A contract has all of it, but brings zod into the page's
 * JavaScript; `operations/<slice>.ts` has the same without zod, under the contract's name.
 */
export type Callable<I extends z.ZodObject, O extends z.ZodType> = {
  http: { method: Method; path: string };
  input?: I;
  output?: O;
};

/** An operation by its address. Only the generated files of `operations/` define these. */
export function operationAt<C extends Contract>(address: `${Method} /${string}`): Callable<C["input"], C["output"]> {
  const [method, path] = address.split(" ") as [Method, string];
  return { http: { method, path } };
}

/** `offline`: the request did not reach the server, or its answer did not reach us. */
export type ApiErrorCode = ErrorCode | "offline";

/** An operation's refusal, or a failure to reach it. `message` is a sentence for the reader. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** The error's other fields: `parameter`, `retry_after`, `current_content`, … */
  readonly extras: Readonly<Record<string, unknown>>;

  constructor(
    code: ApiErrorCode,
    message: string,
    status: number,
    requestId?: string,
    extras: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.extras = extras;
  }
}

/** What an error says of each parameter it is about. */
export function fieldProblems({ code, message, extras }: ApiError): { parameter: string; message: string }[] {
  const parameter = String(extras.parameter ?? code.replace(/^invalid_/, ""));
  const others = (extras.problems as { parameter: string; message: string }[] | undefined) ?? [];
  return [{ parameter, message }, ...others.filter((other) => other.parameter !== parameter)];
}

export type CallOptions = { signal?: AbortSignal };

/** The address of a workspace for the browser: operations under their own path, and also `/export` and `/live`. */
export const workspaceAddress = (workspaceId: string, path = ""): string =>
  `/api/app/${encodeURIComponent(workspaceId)}${path}`;

/**
 * Calls an operation of a workspace as the signed-in member. Throws `ApiError`; an abort throws the reason of `signal`.
 */
export const callOperation = <I extends z.ZodObject, O extends z.ZodType>(
  operation: Callable<I, O>,
  workspaceId: string,
  input: z.input<I>,
  options?: CallOptions,
): Promise<z.output<O>> =>
  send(workspaceAddress(workspaceId), operation, input, options).catch((error: unknown) => {
    if (error instanceof ApiError) leadToDemand(workspaceId, error.code);
    throw error;
  });

/** Calls an operation on the signed-in user, outside of any workspace. */
export const callUser = <I extends z.ZodObject, O extends z.ZodType>(
  operation: Callable<I, O>,
  input: z.input<I>,
  options?: CallOptions,
): Promise<z.output<O>> => send("", operation, input, options);

async function send<I extends z.ZodObject, O extends z.ZodType>(
  base: string,
  { http }: Callable<I, O>,
  input: z.input<I>,
  { signal }: CallOptions = {},
): Promise<z.output<O>> {
  const { address, rest } = addressOf(http.path, input);
  const hasBody = http.method === "POST" || http.method === "PATCH";
  const response = await reach(`${base}${address}${hasBody ? "" : queryOf(rest)}`, {
    method: http.method,
    credentials: "same-origin",
    cache: "no-store",
    ...(signal ? { signal } : {}),
    ...(hasBody ? { headers: { "content-type": "application/json" }, body: JSON.stringify(rest) } : {}),
  });
  if (response.status === 204) return undefined as z.output<O>;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body: unknown = await read(response, requestId);
  if (response.ok) return body as z.output<O>;
  const refused = refusal(response.status, requestId, body);
  // What was refused was not done, so it can be sent again once the reader has confirmed that it is them.
  if (refused.code === "recent_sign_in_required" && (await askToConfirm()))
    return send(base, { http }, input, signal ? { signal } : {});
  throw refused;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    connectionHolds();
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw offline();
  }
}

async function read(response: Response, requestId: string | undefined): Promise<unknown> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson) throw refusal(response.status, requestId, null);
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw offline();
  }
}

/** The server could not be reached; the frame's banner finds out whether it still cannot. */
export function offline(): ApiError {
  void suspectLoss();
  return new ApiError("offline", "The server cannot be reached. Try again when the connection is back.", 0);
}

/** The error of an answer that is none of success. */
export function refusal(status: number, requestId: string | undefined, body: unknown): ApiError {
  const { error, message, request_id, ...extras } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const isFault = typeof error === "string" && typeof message === "string";
  return new ApiError(
    isFault ? (error as ErrorCode) : "internal_error",
    isFault ? message : "The server's answer could not be read. Try again.",
    status,
    typeof request_id === "string" ? request_id : requestId,
    extras,
  );
}
