import { AnswerTooLong, retryAfterOf, textWithin } from "../request.ts";

/** An OpenAI-compatible endpoint, `url` being its base (`https://api.openai.com/v1`) or the whole address of `/chat/completions`. */
export type LlmEndpoint = { url: string; model: string; key?: string | undefined };

/** Why there is no answer: a plain sentence without credentials. `retryAfterMs`: how long the endpoint asks us to wait. */
export class LlmFault extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "LlmFault";
    this.retryAfterMs = retryAfterMs;
  }
}

export type Question<T> = {
  system: string;
  user: string;
  /** the answer's form: a JSON Schema as OpenAI's strict mode takes it */
  schema: { name: string; schema: object };
  /** What the answer says; null when it is not one. */
  read(value: unknown): T | null;
};

/** From the surest way to get JSON to the one every server has. */
const modes = ["schema", "json", "text"] as const;
type Mode = (typeof modes)[number];

/** A server that does not know a way of answering refuses it with one of these. */
const UNKNOWN_MODE: readonly number[] = [400, 404, 415, 422, 501];

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Asks for JSON of a form: by its schema, then in JSON mode, then in plain words, going on where the server refuses a way
 * or answers something else. Throws `LlmFault` when no way gives an answer that `read` accepts, and at once when the
 * server cannot be reached, refuses the key, asks to wait or is slower than `timeoutMs` in all. The address is the
 * operator's own setting, so private hosts are allowed; redirects are not.
 */
export async function ask<T>(endpoint: LlmEndpoint, question: Question<T>, timeoutMs: number): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  let refusal = "";
  for (const mode of modes) {
    const { status, text, retryAfterMs } = await send(
      endpoint,
      bodyOf(endpoint.model, question, mode),
      signal,
      timeoutMs,
    );
    if (status === 200 || status === 201) {
      const answer = question.read(jsonIn(contentOf(text)));
      if (answer !== null) return answer;
      refusal = "answered something that is not the JSON asked for";
    } else if (UNKNOWN_MODE.includes(status)) refusal = `refused the request with status ${status}`;
    else throw new LlmFault(`refused the request with status ${status}`, retryAfterMs);
  }
  throw new LlmFault(refusal);
}

function bodyOf<T>(model: string, { system, user, schema }: Question<T>, mode: Mode): object {
  const format =
    mode === "schema"
      ? { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } }
      : mode === "json"
        ? { response_format: { type: "json_object" } }
        : {};
  const detail =
    mode === "schema"
      ? system
      : `${system}\n\nAnswer with JSON only, by this JSON Schema:\n${JSON.stringify(schema.schema)}`;
  return {
    model,
    messages: [
      { role: "system", content: detail },
      { role: "user", content: user },
    ],
    ...format,
  };
}

async function send(endpoint: LlmEndpoint, body: object, signal: AbortSignal, timeoutMs: number) {
  try {
    const response = await fetch(addressOf(endpoint.url), {
      method: "POST",
      redirect: "error",
      signal,
      headers: {
        "content-type": "application/json",
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      text: await textWithin(response, MAX_ANSWER_BYTES),
      retryAfterMs: retryAfterOf(response),
    };
  } catch (error) {
    if (error instanceof AnswerTooLong) throw new LlmFault("answered with more than 4 MiB");
    const slow = signal.aborted;
    throw new LlmFault(slow ? `did not answer within ${Math.round(timeoutMs / 1000)} s` : "cannot be reached");
  }
}

function addressOf(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
}

/** The message's text; empty when there is none. */
function contentOf(text: string): string {
  const answer = tryJson(text) as { choices?: { message?: { content?: unknown } }[] } | undefined;
  const content = answer?.choices?.[0]?.message?.content;
  if (typeof content === "string") return content;
  // Some servers give the content in parts.
  return Array.isArray(content)
    ? content.map((part: { text?: unknown }) => (typeof part?.text === "string" ? part.text : "")).join("")
    : "";
}

/** The JSON in a text: all of it, what a code fence holds, or from the first brace to the last. */
function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1];
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return [text, fenced, braces].map((part) => (part ? tryJson(part) : undefined)).find((value) => value !== undefined);
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
