import { authenticateAccessToken, isAccessToken } from "#lib/auth/access-tokens.ts";
import { bearerIn } from "#lib/auth/api-keys.ts";
import { noteGrantUse } from "#lib/auth/key-use.ts";
import type { Caller } from "#lib/core/context.ts";
import { scopeFault, scopeIncludes } from "#lib/core/plans.ts";
import { type Authenticate, byApiKey, type Work } from "#lib/http/answer.ts";
import { bearerChallenge } from "#lib/http/bearer-challenge.ts";
import type { Exchange } from "#lib/http/exchange.ts";
import { type ToolChoice, toolNamed } from "./tools.ts";

/** Who calls `/mcp`: an API key, which acts as an agent here, or a client that a member connected. */
export const byBearer: Authenticate = async (exchange, requestId, client) => {
  const bearer = bearerIn(exchange.header("authorization"));
  if (bearer && isAccessToken(bearer)) {
    const {
      workspaceId,
      plan,
      scopes,
      grantId,
      approval,
      limits,
      userId: viewer,
    } = await authenticateAccessToken(bearer);
    noteGrantUse(workspaceId, grantId);
    const actor = { type: "mcp", id: grantId } as const;
    return {
      caller: {
        ...{ workspaceId, plan, scopes, role: null, actor, viewer, requestId, client, ip: exchange.ip, approval },
        ...(limits ? { limits } : {}),
      },
      rateKey: grantId,
      gone: "unauthorized",
    };
  }
  const keyCaller = await byApiKey(exchange, requestId, client);
  const { caller } = keyCaller;
  return { ...keyCaller, caller: { ...caller, actor: { type: "mcp", id: caller.actor.id } } };
};

/** The work of a request, with a header on its refusals that tells clients where to get a token, and for which scopes. */
export const challenging =
  (exchange: Exchange, work: Work): Work =>
  async (frame) => {
    try {
      return await work(frame);
    } catch (error) {
      const challenge = bearerChallenge(exchange, error);
      if (challenge) frame.headers["WWW-Authenticate"] = challenge;
      throw error;
    }
  };

/**
 * Throws 403 `insufficient_scope` for a call of a tool that the caller's access token does not reach: the client can then ask
 * the member for more. A key cannot be given more, so its caller is told by the tool.
 */
export function requireTokenScope(exchange: Exchange, { scopes }: Caller, message: unknown, wanted: ToolChoice): void {
  if (!isAccessToken(bearerIn(exchange.header("authorization")) ?? "")) return;
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  const name = method === "tools/call" ? params?.name : null;
  const needed = typeof name === "string" ? toolNamed(name, wanted)?.scope : undefined;
  if (needed && !scopeIncludes(scopes, needed)) throw scopeFault(scopes, needed);
}
