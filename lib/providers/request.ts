import { lookup } from "node:dns/promises";
import { clip } from "#lib/text/clip.ts";
import { isPublicAddress } from "./addresses.ts";
import { noAnswerWords } from "./no-answer.ts";

/** What went wrong between us and a provider. `refused`: the credentials; `rejected`: this request. */
export type ProviderTrouble =
  | "unreachable"
  | "slow"
  | "refused"
  | "rate_limited"
  | "broken"
  | "rejected"
  | "unreadable";

const retryable: readonly ProviderTrouble[] = ["unreachable", "slow", "rate_limited", "broken", "unreadable"];

const words: Readonly<Record<ProviderTrouble, string>> = {
  unreachable: "cannot be reached",
  slow: "did not answer in time",
  refused: "does not accept the credentials",
  rate_limited: "asks us to slow down",
  broken: "has a fault of its own",
  rejected: "refused the request",
  unreadable: "answered something we cannot read",
};

/** A call to a provider that failed. Its message is a plain sentence for people and never holds a credential. */
export class ProviderFault extends Error {
  readonly trouble: ProviderTrouble;
  /** HTTP status; null when there was no answer */
  readonly status: number | null;
  /** what the provider said, cut short, or why there was no answer; null when neither is known */
  readonly reason: string | null;
  /** how long the provider asks us to wait */
  readonly retryAfterMs: number | null;

  constructor(
    provider: string,
    trouble: ProviderTrouble,
    {
      status = null,
      reason = null,
      retryAfterMs = null,
    }: Partial<Pick<ProviderFault, "status" | "reason" | "retryAfterMs">> = {},
  ) {
    const detail = reason ? `: ${reason.replace(/\.$/, "")}` : status === null ? "" : ` (status ${status})`;
    super(`${provider} ${words[trouble]}${detail}.`);
    this.name = "ProviderFault";
    this.trouble = trouble;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same request may succeed later. */
  get isRetryable(): boolean {
    return retryable.includes(this.trouble);
  }
}

/** The address of a provider. `configured`: the operator set it, so it may be a private one. */
export type Endpoint = { provider: string; base: string; configured: boolean };

export type Call = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  /** sent as a form, in place of a JSON body */
  form?: Readonly<Record<string, string>>;
  /** statuses that are not errors; default any 2xx */
  accepts?: readonly number[];
  /** why the provider refused, in the body of its answer; null where the body has no more than its `message` */
  whyIn?: (body: unknown) => string | null;
};

/** How long a provider may take to answer; tests of silent ones wait less. */
export const patience = { answerMs: 12_000 };
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Sends one request and reads the JSON answer (null when there is none). Redirects are not followed. Throws `ProviderFault`. */
export async function request(endpoint: Endpoint, call: Call): Promise<{ status: number; body: unknown }> {
  const { provider, base } = endpoint;
  const url = new URL(`${base.replace(/\/+$/, "")}${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  let response: Response;
  let text: string;
  try {
    if (!endpoint.configured) await requirePublic(url.hostname);
    response = await fetch(url, {
      method: call.method ?? "GET",
      redirect: "manual",
      signal: AbortSignal.timeout(patience.answerMs),
      headers: {
        accept: "application/json",
        "user-agent": "rapport",
        ...call.headers,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.form === undefined ? {} : { body: new URLSearchParams(call.form) }), // which names its type itself
    });
    text = await textWithin(response, MAX_ANSWER_BYTES);
  } catch (error) {
    const slow = error instanceof Error && error.name === "TimeoutError";
    throw slow
      ? new ProviderFault(provider, "slow")
      : new ProviderFault(provider, "unreachable", { reason: whyOf(error) });
  }
  const { status } = response;
  const body = tryJson(text);
  if (response.ok || call.accepts?.includes(status)) {
    if (body === undefined) throw new ProviderFault(provider, "unreadable", { status });
    return { status, body };
  }
  throw new ProviderFault(provider, troubleOf(status), {
    status,
    reason: textIn(call.whyIn?.(body) ?? null) ?? reasonOf(body),
    retryAfterMs: retryAfterOf(response),
  });
}

function troubleOf(status: number): ProviderTrouble {
  if (status === 401 || status === 403) return "refused";
  if (status === 429) return "rate_limited";
  if (status === 408) return "slow";
  if (status >= 500) return status === 504 || status === 524 ? "slow" : "broken";
  return status >= 400 ? "rejected" : "unreadable"; // an API does not redirect
}

/** Why there was no answer, to go behind a colon. */
function whyOf(error: unknown): string | null {
  if (error instanceof PrivateAddress) return "its name leads to a private address";
  const words = noAnswerWords(error);
  return words && words.charAt(0).toLowerCase() + words.slice(1);
}

class PrivateAddress extends Error {}

async function requirePublic(hostname: string): Promise<void> {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new PrivateAddress();
}

/** The text of an answer, as long as it has no more bytes than `most`. */
export async function textWithin(response: Response, most: number): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) throw new AnswerTooLong("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export class AnswerTooLong extends Error {}

/** Null for an empty answer, undefined for one that is not JSON. */
function tryJson(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The sentence in an error body: `message` of it, of its `error`, or `error` itself. */
function reasonOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  const { message, error } = body as { message?: unknown; error?: unknown };
  const nested = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error;
  return textIn([message, nested].find((value) => typeof value === "string"));
}

/** Text of a provider, cut short and without control characters; null when there is none. */
function textIn(body: unknown): string | null {
  if (typeof body !== "string") return null;
  const text = body
    .replaceAll(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
  return text === "" ? null : clip(text, 200);
}

/** The header Retry-After, in seconds or as a date, in milliseconds: an hour at most. */
export function retryAfterOf(response: Pick<Response, "headers">): number | null {
  const ms = waitIn(response.headers.get("retry-after"));
  return ms === null ? null : Math.min(ms, 3_600_000);
}

/** How long from now a value of Retry-After says, in milliseconds; null when it is neither seconds nor a date. */
export function waitIn(header: string | null): number | null {
  const text = header?.trim();
  if (!text) return null;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
