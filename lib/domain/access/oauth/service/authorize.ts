import { RESOURCE_PATH } from "#lib/auth/access-tokens.ts";
import { networkOf } from "#lib/auth/network.ts";
import { mintSecret } from "#lib/auth/secret-tokens.ts";
import type { Membership, Session } from "#lib/auth/sessions.ts";
import { countAttempt, type Throttle } from "#lib/auth/throttle.ts";
import { type ErrorCode, Fault, messageOf } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { isBrokenText } from "#lib/core/json.ts";
import { type Role, type Scope, withinRole } from "#lib/core/plans.ts";
import { requireDemand } from "#lib/core/sign-in-demands.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implementUser } from "#lib/domain/implement-user.ts";
import * as contract from "../contract.ts";
import { type ClientRow, insertCode } from "../queries.ts";
import {
  answerTo,
  CODE_SECONDS,
  hostOf,
  implied,
  isChallenge,
  isDocumentId,
  isRegistered,
  namesResource,
  scopesIn,
} from "../rules.ts";
import { introduceClient } from "./clients.ts";

/** An opened request may make this server read a document, and a decision writes a row. */
const requests: Throttle = { name: "oauth-authorize", attempts: 120, seconds: 600, waits: [30, 60, 300] };

/** What a member is asked to approve. */
export type ConsentRequest = {
  client: { name: string; host: string; selfRegistered: boolean };
  /** Where the answer goes, for people. */
  answersTo: string;
  request: contract.AuthorizationRequest;
  /** What the client asks for; a workspace has those of them that the member's role allows there. */
  workspaces: { id: string; name: string; role: Role; scopes: Scope[] }[];
};

/** Parameters as an address has them; a list is one that was given more than once. */
type RawParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

type Reader = { session: Session; ip: string; origin: string };

/**
 * Opens a client's request for approval. `to`: the request is wrong in a way that the client is told, at that address of
 * `host`. Throws 400 `authorization_invalid` for one that may not be answered to the client, and 429 `rate_limited`.
 */
export async function openAuthorization(
  parameters: RawParameters,
  { session, ip, origin }: Reader,
): Promise<{ asked: ConsentRequest } | { to: string; host: string }> {
  await countAttempt(requests, networkOf(ip));
  const { request, repeated } = requestIn(parameters);
  const checked = await check(request, origin, repeated);
  if ("to" in checked) return { ...checked, host: hostOf(request.redirect_uri) };
  const { client, scopes } = checked;
  return {
    asked: {
      client: { name: client.name, host: placeOf(client, request), selfRegistered: !isDocumentId(client.id) },
      answersTo: hostOf(request.redirect_uri),
      request,
      workspaces: session.memberships.map(({ workspaceId: id, name, role }) => ({
        ...{ id, name, role },
        scopes: withinRole(scopes, role),
      })),
    },
  };
}

/** Where a client is: the host that publishes its document, else where its answers go. It may claim any other. */
const placeOf = (client: ClientRow, { redirect_uri }: contract.AuthorizationRequest): string =>
  hostOf(isDocumentId(client.id) ? client.id : redirect_uri);

/** The known parameters; unknown ones are ignored (RFC 6749, 3.1). */
function requestIn(parameters: RawParameters): { request: contract.AuthorizationRequest; repeated: string | null } {
  const names = Object.keys(contract.AuthorizationRequest.shape);
  const repeated = names.find((name) => Array.isArray(parameters[name])) ?? null;
  if (repeated === "client_id" || repeated === "redirect_uri") throw invalid(`${repeated} is given more than once.`);
  const single = names.flatMap((name) =>
    typeof parameters[name] === "string" ? [[name, parameters[name]] as const] : [],
  );
  const broken = single.find(([, text]) => isBrokenText(text));
  if (broken) throw invalid(`${broken[0]} holds U+0000 or a lone surrogate.`);
  const { success, data, error } = contract.AuthorizationRequest.safeParse(Object.fromEntries(single));
  if (success) return { request: data, repeated };
  throw invalid(`${error.issues[0]?.path.join(".")} is missing or too long.`);
}

const invalid = (why: string) =>
  new Fault("authorization_invalid", {}, `The request of the app that sent you here is not valid: ${why}`);

/** Checks a request as far as it does not depend on who reads it. Nothing is sent to a redirect URI before it is checked. */
async function check(
  request: contract.AuthorizationRequest,
  origin: string,
  repeated: string | null = null,
): Promise<{ client: ClientRow; scopes: Scope[]; challenge: string; resource: string } | { to: string }> {
  const client = await introduceClient(request.client_id);
  if (!isRegistered(request.redirect_uri, client.redirectUris))
    throw invalid("its redirect_uri is not one that it registered.");
  const refuse = (error: ErrorCode, why = messageOf(error)) => ({
    to: answerTo(request.redirect_uri, { error, error_description: why, state: request.state, iss: origin }),
  });
  const { response_type, code_challenge: challenge, code_challenge_method: method } = request;
  if (repeated) return refuse("invalid_request", `${repeated} is given more than once.`);
  if (response_type === undefined) return refuse("invalid_request", "response_type is missing.");
  if (response_type !== "code") return refuse("unsupported_response_type");
  if (challenge === undefined) return refuse("invalid_request", "code_challenge is missing: PKCE is required.");
  if (method !== "S256") return refuse("invalid_request", "code_challenge_method must be S256.");
  if (!isChallenge(challenge)) return refuse("invalid_request", "code_challenge must be 43 characters of base64url.");
  const scopes = scopesIn(request.scope ?? "");
  if (!scopes) return refuse("invalid_scope");
  const resource = `${origin}${RESOURCE_PATH}`;
  if (request.resource === undefined || !namesResource(request.resource, resource))
    return refuse("invalid_target", `resource must be ${resource}.`);
  return { client, scopes, challenge, resource };
}

export const decideAuthorization = implementUser(contract.decideAuthorization, "signed-in", async (ctx, input) => {
  await countAttempt(requests, networkOf(ctx.ip));
  const { request } = input;
  const { origin } = ctx;
  const checked = await check(request, origin);
  if ("to" in checked) return { redirect_to: checked.to };
  const back = { state: request.state, iss: origin };
  if (!input.approve) {
    const error_description = "The person did not approve.";
    return { redirect_to: answerTo(request.redirect_uri, { error: "access_denied", error_description, ...back }) };
  }
  const membership = ctx.session.memberships.find(
    ({ workspaceId }) => workspaceId === input.workspace_id?.toLowerCase(),
  );
  if (!membership) throw new Fault("workspace_not_found");
  requireDemand(ctx.session, membership);
  const { client, challenge, resource } = checked;
  const { secret: code, hash } = mintSecret("code");
  await withWorkspace(membership.workspaceId, (db) =>
    insertCode(db, {
      id: newId(),
      ...{ hash, challenge, resource },
      userId: ctx.session.userId,
      clientId: client.id,
      clientName: client.name,
      clientHost: placeOf(client, request),
      scopes: approved(checked.scopes, input.scopes, membership),
      approval: input.approval,
      redirectUri: request.redirect_uri,
      seconds: CODE_SECONDS,
    }),
  );
  return { redirect_to: answerTo(request.redirect_uri, { code, ...back }) };
});

/** What was asked for and approved, and the member may give. Reading is the least. */
function approved(asked: readonly Scope[], chosenScopes: readonly Scope[] | undefined, { role }: Membership): Scope[] {
  const chosen = chosenScopes && chosenScopes.length > 0 ? implied(chosenScopes) : asked;
  const kept = withinRole(asked, role).filter((scope) => chosen.includes(scope));
  return kept.length > 0 ? kept : ["read"];
}
