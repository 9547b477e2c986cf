import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { labelOfInfo } from "#lib/text/client-label.ts";
import { CommandFailure } from "./failure.ts";
import { reasonOf } from "./request.ts";

/** The `/mcp` of a server, and how to reach it. */
export type Remote = {
  /** with its query */
  address: string;
  key: string;
  /** for programs that do not say what they are called */
  client: string;
};

type Id = string | number | null;
type Message = { id?: Id; method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> };

/** Throws exit 2 for tools in the address that the server does not have. What else is wrong the bridge tells its client. */
export async function requireTools({ address, key, client }: Remote): Promise<void> {
  const request = {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-service-client": client },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
    signal: AbortSignal.timeout(10_000),
  };
  const text = await fetch(address, { ...request, redirect: "error" }).then(
    (response) => response.text(),
    () => "",
  );
  const answer = parsed(text) as { error?: unknown; parameter?: unknown; message?: unknown } | null;
  if (answer?.error === "invalid_parameter" && answer.parameter === "tools")
    throw new CommandFailure(2, answer.error, String(answer.message), text);
}

/** What JSON-RPC keeps free for servers; it says that the server behind the bridge has refused or is away. */
const NO_ANSWER = -32_000;
const PARSE_ERROR = -32_700;

/** What each message of the revision of 2026 says about itself; such a message repeats it in headers. */
const VERSION = "io.modelcontextprotocol/protocolVersion";

/**
 * Passes messages of the Model Context Protocol on: each line of `input` is sent to the server, each answer is a line of
 * `output`. Ends when `input` has ended and everything is answered. It has no list of tools, so it needs no update for a new one.
 */
export async function bridge({ address, key, client }: Remote, input: Readable, output: Writable): Promise<void> {
  const leaving = new Map<Id, AbortController>();
  /** Streams that end with the input: no one waits for their answer. */
  const streams = new Set<AbortController>();
  let isOver = false;
  /** Agreed on in the first exchange; clients of 2025 repeat it in a header from then on. */
  let agreed: string | undefined;
  let caller = client;

  const write = (message: object) =>
    new Promise<void>((resolve) => void output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  const refuse = (id: Id, code: number, message: string) => write({ jsonrpc: "2.0", id, error: { code, message } });

  async function pass(line: string): Promise<void> {
    const message = parsed(line);
    if (message === null) return refuse(null, PARSE_ERROR, "That line is no JSON.");
    const one = Array.isArray(message) ? {} : message;
    if (one.method === "notifications/cancelled") leaving.get(one.params?.requestId as Id)?.abort();
    if (one.method === "initialize") caller = labelOfInfo(one.params?.clientInfo) ?? client;
    const id = one.id ?? null;
    const leave = new AbortController();
    if (id !== null) leaving.set(id, leave);
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersOf(one, agreed, caller),
        },
        body: line,
        redirect: "error",
        signal: leave.signal,
      });
      if (isStream(response)) {
        streams.add(leave);
        if (isOver) leave.abort();
        for await (const sent of messagesIn(response.body)) await write(sent);
        return;
      }
      const text = await response.text();
      const answer = text === "" ? undefined : parsed(text);
      if (answer === undefined) return;
      if (isAnswer(answer)) {
        const [first] = [answer].flat() as Message[];
        if (one.method === "initialize") agreed = first?.result?.protocolVersion as string | undefined;
        return await write(answer);
      }
      await answerWith(id, refusalOf(response.status, answer, address));
    } catch (error) {
      if (!leave.signal.aborted)
        await answerWith(id, `${address} cannot be reached (${reasonOf(error)}). Is the server running?`);
    } finally {
      leaving.delete(id);
      streams.delete(leave);
    }
  }
  /** A notification has no answer that could say it. */
  const answerWith = async (id: Id, sentence: string): Promise<void> => {
    if (id !== null) await refuse(id, NO_ANSWER, sentence);
  };

  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const passing = pass(line).finally(() => underWay.delete(passing));
    underWay.add(passing);
    // What follows may need the version that the first exchange agrees on.
    if (/"method"\s*:\s*"initialize"/.test(line)) await passing;
  }
  isOver = true;
  for (const stream of streams) stream.abort();
  await Promise.all(underWay);
}

type StreamResponse = Response & { body: NonNullable<Response["body"]> };

const isStream = (response: Response): response is StreamResponse =>
  response.body !== null && (response.headers.get("content-type") ?? "").startsWith("text/event-stream");

/** The messages of a stream of events, as they come. */
async function* messagesIn(body: StreamResponse["body"]): AsyncGenerator<object> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = line.startsWith("data:") ? parsed(line.slice("data:".length)) : null;
      if (message) yield message;
    }
  }
}

function parsed(text: string): Message | Message[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Message | Message[]) : null;
  } catch {
    return null;
  }
}

const isAnswer = (value: Message | Message[] | null): value is Message | Message[] =>
  value !== null && [value].flat().every((one) => "jsonrpc" in one);

function headersOf({ method, params }: Message, agreed: string | undefined, caller: string): Record<string, string> {
  const own = (params?._meta as Record<string, unknown> | undefined)?.[VERSION];
  if (typeof own !== "string" || method === undefined)
    return { "x-service-client": caller, ...(agreed === undefined ? {} : { "mcp-protocol-version": agreed }) };
  const named = NAMED_BY[method] === undefined ? undefined : params?.[NAMED_BY[method]];
  return {
    "mcp-protocol-version": own,
    "mcp-method": method,
    ...(typeof named === "string" ? { "mcp-name": headerValue(named) } : {}),
  };
}

/** Which parameter names what is asked for. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** A header holds visible ASCII; the protocol wraps anything else (SEP-2243). */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;

function refusalOf(status: number, answer: Message | Message[] | null, address: string): string {
  const { message } = (answer ?? {}) as { message?: unknown };
  if (status === 401) return `${address} does not accept the API key. Run \`rapport login\`, or set RAPPORT_API_KEY.`;
  return typeof message === "string" ? message : `What answers at ${address} is not Rapport (HTTP ${status}).`;
}
