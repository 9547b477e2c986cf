import { RESOURCE_PATH } from "#lib/auth/access-tokens.ts";
import { scopes } from "#lib/core/plans.ts";
import { authMethods, grantTypes, usualScopes } from "#lib/domain/access/oauth/service.ts";
import { corsHeaders } from "#lib/http/cors.ts";
import { type Exchange, handler, type RouteHandler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { requestIdOf } from "#lib/http/request-id.ts";

/** What `/mcp` is, and who gives tokens for it (RFC 9728). Its scopes are those that clients should ask for first. */
const resourceMetadata = (origin: string) => ({
  resource: `${origin}${RESOURCE_PATH}`,
  authorization_servers: [origin],
  scopes_supported: usualScopes,
  bearer_methods_supported: ["header"],
  resource_name: "Rapport",
});

/** Where and how clients get tokens (RFC 8414). */
const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** A document that depends on the address under which it was asked for, so no cache keeps it. */
const published = (documentAt: (origin: string) => unknown): RouteHandler =>
  handler(async (exchange: Exchange) => ({
    status: 200,
    headers: {
      ...corsHeaders(exchange),
      "x-request-id": requestIdOf(exchange),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
    },
    body: JSON.stringify(documentAt(originOf(exchange))),
  }));

/** The route handler of `/.well-known/oauth-protected-resource`. */
export const protectedResource = (): RouteHandler => published(resourceMetadata);

/** The route handler of `/.well-known/oauth-authorization-server`. */
export const authorizationServer = (): RouteHandler => published(serverMetadata);
