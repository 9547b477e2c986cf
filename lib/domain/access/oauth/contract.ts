import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { approvalModes, approvalWords, scopes } from "#lib/core/plans.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { limitFeature, limitFields, limitInput } from "#lib/domain/crm/people/contract.ts";

const tag = "Connected clients";

export const ConnectedClient = z.strictObject({
  id: Id,
  name: z.string().describe("What the client calls itself, as the person saw it who approved it."),
  host: z
    .string()
    .describe(
      "Where it published its name, or where it was sent its code: a host, `localhost` for a program on their computer, or an app's scheme.",
    ),
  self_registered: z.boolean().describe("True: it registered itself, and its name was not checked."),
  approved_by: z.string().describe("Name or e-mail of the member who approved it. It acts for them."),
  mine: z.boolean().describe("Whether that is you."),
  scopes: z.array(z.enum(scopes)).describe("What it may do; a lower role of the member narrows it."),
  approval: z.enum(approvalModes).describe(approvalWords),
  ...limitFields,
  connected_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
export type ConnectedClient = z.output<typeof ConnectedClient>;

const exampleClient: ConnectedClient = {
  id: "0190a6e0-0000-7000-8000-000000000051",
  name: "Claude Code",
  host: "localhost",
  self_registered: true,
  approved_by: "Ada Lovelace",
  mine: true,
  scopes: ["read", "write"],
  approval: "none",
  kinds: [],
  hidden_fields: [],
  connected_at: "2026-06-03T09:00:00.000Z",
  last_used_at: "2026-06-03T09:05:00.000Z",
};

export const listConnectedClients = defineOperation({
  name: "listConnectedClients",
  tag,
  summary: "List the MCP clients that members connected, newest first",
  description: "An admin sees all of them, a member their own.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/connected-clients" },
  input: z.strictObject({}),
  output: z.strictObject({ clients: z.array(ConnectedClient) }),
  example: { input: {} },
});

const missing = {
  errors: ["connected_client_not_found"],
  codes: { fields: { id: "connected_client_not_found" } },
} as const;

export const changeConnectedClient = defineOperation({
  name: "changeConnectedClient",
  tag,
  summary: "Say whether what an MCP client would change waits for approval, and what it is kept from",
  description:
    "Counts from the client's next request. What waits already keeps waiting. What is not given stays. With limits it may not use the scope admin. An admin may change all of them, a member their own.",
  surface: "app",
  scope: "read",
  http: { method: "PATCH", path: "/connected-clients/:id" },
  input: z.strictObject({
    id: Id,
    approval: z.enum(approvalModes).optional().describe(approvalWords),
    ...limitInput,
  }),
  output: z.strictObject({ id: Id, approval: z.enum(approvalModes), ...limitFields }),
  feature: limitFeature,
  ...missing,
  errors: [...missing.errors, "feature_not_in_plan"],
  example: {
    input: { id: exampleClient.id, approval: "writes" },
  },
});

export const revokeConnectedClient = defineOperation({
  name: "revokeConnectedClient",
  tag,
  summary: "Disconnect an MCP client: its tokens stop working with the next request",
  description:
    "Changes of the client that wait for approval are cancelled. An admin may disconnect all of them, a member their own.",
  surface: "app",
  scope: "read",
  http: { method: "POST", path: "/connected-clients/:id/revoke" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ id: Id }),
  ...missing,
  example: { input: { id: exampleClient.id } },
});

const Given = z.string().max(4096);

/** The parameters of an authorization request (RFC 6749, 7636 and 8707), as the client put them into the address. */
export const AuthorizationRequest = z.strictObject({
  response_type: Given.optional().describe("Must be `code`."),
  client_id: Given.describe("The id the client registered with, or the https address of its metadata document."),
  redirect_uri: Given.describe("Where the answer goes; one of those the client registered."),
  code_challenge: Given.optional().describe("SHA-256 of the client's verifier, in base64url."),
  code_challenge_method: Given.optional().describe("Must be `S256`."),
  scope: Given.optional().describe("What the client asks for, separated by spaces; default `read write`."),
  state: Given.optional().describe("Goes back to the client as it is."),
  resource: Given.optional().describe("The address of the MCP endpoint of this server."),
});
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>;

export const decideAuthorization = defineOperation({
  name: "decideAuthorization",
  tag,
  summary: "Approve or deny what a client asks for",
  description:
    "Returns where the browser goes next: to the client, with a code that works once for a minute, or with its refusal.",
  surface: "user",
  scope: "write",
  recent: ({ approve, request, scopes: chosen = [] }) =>
    approve && (request.scope ?? "").split(" ").includes("admin") && (chosen.length === 0 || chosen.includes("admin")),
  http: { method: "POST", path: "/api/account/authorizations" },
  input: z.strictObject({
    request: AuthorizationRequest.describe("What the client asked for, as it came."),
    approve: z.boolean().describe("False refuses; the client is told `access_denied`."),
    workspace_id: Id.optional().describe("The workspace it may use; required to approve."),
    scopes: z
      .array(z.enum(scopes))
      .max(scopes.length)
      .optional()
      .describe("What it may do: not more than it asked for; default all of that."),
    approval: z.enum(approvalModes).default("human_fields").describe(`${approvalWords} Default \`human_fields\`.`),
  }),
  output: z.strictObject({ redirect_to: z.string().describe("The client's address with the answer.") }),
  errors: [
    ...["authorization_invalid", "workspace_not_found", "recent_sign_in_required"],
    ...["second_factor_required", "oidc_required"],
  ] as const,
  codes: { fields: { request: "authorization_invalid", workspace_id: "workspace_not_found" } },
  example: {
    input: {
      request: {
        response_type: "code",
        client_id: "client_3f9aQ1",
        redirect_uri: "http://127.0.0.1:33418/callback",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
        scope: "read write",
        state: "af0ifjsldkj",
        resource: "https://rapport.example.com/mcp",
      },
      approve: true,
      workspace_id: "0190a6e0-0000-7000-8000-000000000001",
      scopes: ["read", "write"],
      approval: "writes",
    },
  },
});

/** What a client says of itself when it registers (RFC 7591), or in its metadata document. Other fields are ignored. */
export const ClientMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_name: z.string().max(500).optional(),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
});
export type ClientMetadata = z.output<typeof ClientMetadata>;

/** The document that a client publishes at the address which is its id. */
export const ClientDocument = ClientMetadata.extend({ client_id: z.string() });
