import type { Exchange } from "#lib/http/exchange.ts";
import { labelOf, labelOfInfo } from "#lib/text/client-label.ts";

/** What the revision of 2026 puts into each request, and the one of 2025 into the first. */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** Names of libraries, which say nothing about the client. */
const LIBRARY = /^(node|undici|python|aiohttp|httpx|go-http-client|okhttp|axios|mozilla)/i;

type Message = { method?: unknown; params?: { clientInfo?: unknown; _meta?: Record<string, unknown> } };

/**
 * What a client calls itself, such as `claude-code/2.1`: by its first message, by each message (2026), else by its User-Agent.
 * Null when nothing says it.
 */
export function clientOf(exchange: Exchange, message: unknown): string | null {
  const { method, params } = ([message].flat()[0] ?? {}) as Message;
  const clientInfo = method === "initialize" ? params?.clientInfo : params?._meta?.[CLIENT_INFO];
  return labelOfInfo(clientInfo) ?? agentOf(exchange);
}

function agentOf(exchange: Exchange): string | null {
  const [product = ""] = (exchange.header("user-agent") ?? "").split(" ");
  return LIBRARY.test(product) ? null : labelOf(product);
}
