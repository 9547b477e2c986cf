import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { withRetries } from "#clients/typescript/src/retries.ts";
import { addressOf, type Contract, mayWrite, queryOf } from "#lib/core/operation.ts";
import type { Credentials } from "./credentials.ts";
import { exitOf } from "./exit-codes.ts";
import { CommandFailure, NOT_SIGNED_IN } from "./failure.ts";

/** The answer of the API: as it came, and parsed. */
export type Answer<T> = { raw: string; value: T };

export type Request = {
  method: string;
  url: string;
  path: string;
  body?: unknown;
  /** sent as it is, in place of a body */
  file?: Blob;
  /** the `Idempotency-Key` of a POST that writes */
  once?: string;
  credentials?: Credentials;
  client: string;
};

const PATIENCE_MS = 60_000;
const UPLOAD_PATIENCE_MS = 15 * 60_000;

/** Sends one request; every failure is a `CommandFailure` that says what to do. */
export async function send<T>(request: Request): Promise<Answer<T> & { status: number }> {
  const { status, text, location } = await exchange(request);
  if (location !== null)
    throw new CommandFailure(6, "moved", `${request.url} leads to ${originOf(location)}: use that address.`);
  const value = parsed(text);
  if (value === undefined) {
    const what = `What answers at ${request.url} is not Rapport (HTTP ${status}).`;
    throw new CommandFailure(6, "unreachable", `${what} Check the address: --url, or RAPPORT_URL.`);
  }
  if (status < 300) return { raw: text, value: value as T, status };
  throw refusal(status, value as { error?: string; message?: string }, text, request);
}

/** Sends again as our TypeScript client does, within the patience for one command. */
const patiently = withRetries((request) => fetch(request), { longestWait: 20 });

async function exchange({ method, url, path, body, file, once, credentials, client }: Request) {
  const headers: Record<string, string> = { "x-service-client": client, accept: "application/json" };
  if (credentials) headers.authorization = `Bearer ${credentials.key}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file) headers["content-type"] = file.type;
  if (once) headers["idempotency-key"] = once;
  try {
    const request = new globalThis.Request(url + path, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(file ? UPLOAD_PATIENCE_MS : PATIENCE_MS),
      ...(file ? { body: file } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // `login` asks again itself; a file would be held in memory to be sent twice.
    const response = await (credentials && !file ? patiently : fetch)(request);
    const { status } = response;
    return { status, text: await response.text(), location: status < 400 ? response.headers.get("location") : null };
  } catch (error) {
    throw new CommandFailure(6, "unreachable", `${url} cannot be reached (${reasonOf(error)}). Is the server running?`);
  }
}

const originOf = (location: string): string => URL.parse(location)?.origin ?? location;

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function refusal(
  status: number,
  { error = "failed", message = "" }: { error?: string; message?: string },
  text: string,
  { credentials, url }: Request,
): CommandFailure {
  const why =
    status === 401 && credentials
      ? `${url} does not accept the API key of ${credentials.keyFrom}. ${NOT_SIGNED_IN}`
      : message || `The server answered ${status}.`;
  return new CommandFailure(exitOf(status), error, why, text);
}

/** The system's word for what went wrong with the connection. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer in ${PATIENCE_MS / 1000} seconds`;
  const { cause } = error;
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message;
}

/** Calls an operation of the API with these fields. */
export function callApi<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  fields: Record<string, unknown>,
  credentials: Credentials,
  client: string,
): Promise<Answer<z.output<O>>> {
  const { http } = contract;
  const { address, rest } = addressOf(http.path, fields);
  const hasBody = http.method === "POST" || http.method === "PATCH";
  return send({
    method: http.method,
    url: credentials.url,
    path: hasBody ? address : `${address}${queryOf(rest)}`,
    ...(hasBody ? { body: rest } : {}),
    ...(http.method === "POST" && mayWrite(contract) ? { once: randomUUID() } : {}),
    credentials,
    client,
  });
}

/** Sends a file to an operation that takes one, with the other fields. */
export function uploadTo<I extends z.ZodObject, O extends z.ZodType>(
  { http: { method, path } }: Contract<I, O>,
  fields: Record<string, unknown>,
  file: Blob,
  credentials: Credentials,
  client: string,
): Promise<Answer<z.output<O>>> {
  return send({ method, url: credentials.url, path: `${path}${queryOf(fields)}`, file, credentials, client });
}
