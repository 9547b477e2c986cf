import { RESOURCE_PATH } from "#lib/auth/access-tokens.ts";
import { isFault } from "#lib/core/errors.ts";
import { type Scope, scopes } from "#lib/core/plans.ts";
import type { Exchange } from "./exchange.ts";
import { originOf } from "./origin.ts";

/**
 * The header `WWW-Authenticate` of a refusal by `/mcp`, which tells clients where to get a token (RFC 9728, 5.1) and what it
 * lacks (RFC 6750, 3): for 401 `unauthorized` and 403 `insufficient_scope`. Undefined for any other error.
 */
export function bearerChallenge(exchange: Pick<Exchange, "header">, error: unknown): string | undefined {
  if (!isFault(error)) return undefined;
  const about = `resource_metadata="${originOf(exchange)}/.well-known/oauth-protected-resource${RESOURCE_PATH}"`;
  // A request without credentials has made no error.
  if (error.code === "unauthorized")
    return exchange.header("authorization") === undefined
      ? `Bearer ${about}, scope="read write"`
      : `Bearer error="invalid_token", ${about}, scope="read write"`;
  if (error.code !== "insufficient_scope") return undefined;
  const needed = scopes.indexOf(error.extras.required_scope as Scope);
  return `Bearer error="insufficient_scope", scope="${scopes.slice(0, needed + 1).join(" ")}", ${about}`;
}
