import type { Exchange } from "#lib/http/exchange.ts";

/** What the revision of 2026 puts into each request, and the one of 2025 into the first. */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const LONGEST = 64;

/** Names of libraries, which say nothing about the client. */
const LIBRARY = /^(node|undici|python|aiohttp|httpx|go-http-client|okhttp|axios|mozilla)/i;

type Message = { method?: unknown; params?: { clientInfo?: unknown; _meta?: Record<string, unknown> } };

/**
 * What a client calls itself, such as `claude-code/2.1`: by its first message, by each message (2026), else by its User-Agent.
 * Null when nothing says it.
 */
export function clientOf(exchange: Exchange, message: unknown): string | null {
  const { method, params } = (Array.isArray(message) ? message[0] : (message ?? {})) as Message;
  const told = method === "initialize" ? params?.clientInfo : params?._meta?.[CLIENT_INFO];
  return labelOf(told) ?? agentOf(exchange);
}

function labelOf(info: unknown): string | null {
  if (typeof info !== "object" || info === null) return null;
  const { name, version } = info as { name?: unknown; version?: unknown };
  return typeof name === "string" ? label(typeof version === "string" ? `${name}/${version}` : name) : null;
}

function agentOf(exchange: Exchange): string | null {
  const [product = ""] = (exchange.header("user-agent") ?? "").split(" ");
  return LIBRARY.test(product) ? null : label(product);
}

/** As `x-service-client` allows it: other characters become hyphens. */
function label(text: string): string | null {
  const fitting = text
    .trim()
    .replaceAll(/[^A-Za-z0-9.\-_/]+/g, "-")
    .slice(0, LONGEST);
  return fitting === "" ? null : fitting;
}
