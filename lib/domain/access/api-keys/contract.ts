import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { approvalModes, approvalWords, keyScopes, plans, roles } from "#lib/core/plans.ts";
import { Id, nonBlank, Time, Timestamp } from "#lib/core/schema.ts";
import { limitFeature, limitFields, limitInput } from "#lib/domain/crm/people/contract.ts";

const tag = "API keys";

const scopesWords =
  "Each of read, write and admin implies the ones before it. `directory` is apart: members by SCIM, and nothing else.";

export const KeyStatus = z.enum(["active", "expiring", "expired", "revoked"]);
export type KeyStatus = z.output<typeof KeyStatus>;

export const ApiKey = z.strictObject({
  id: Id,
  name: z.string(),
  prefix: z.string().describe("The public part: a key reads `rpt_<prefix>_…`."),
  last_four: z.string(),
  scopes: z.array(z.enum(keyScopes)).describe(scopesWords),
  status: KeyStatus.describe("`expiring`: ends within 14 days, or was rotated and still works for its overlap."),
  created_by: z.string().describe("Name of the person or program that created it."),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
  last_used_client: z.string().nullable().describe("What the caller named itself in `x-service-client`."),
  revoked_at: Timestamp.nullable(),
  replaced_by: Id.nullable().describe("The key that rotation made to take its place."),
  allowed_cidrs: z.array(z.string()).describe("Addresses it may be used from; empty: any."),
  approval: z.enum(approvalModes).describe(approvalWords),
  ...limitFields,
});
export type ApiKey = z.output<typeof ApiKey>;

/** The whole key appears only in `api_key` of the answer that created it. */
const Minted = z.strictObject({ api_key: z.string().describe("The key itself, shown this once."), key: ApiKey });
export type MintAnswer = z.output<typeof Minted>;

const exampleKey: ApiKey = {
  id: "0190a6e0-0000-7000-8000-000000000011",
  name: "Outreach agent",
  prefix: "k3Xp0A",
  last_four: "9fQz",
  scopes: ["read", "write"],
  status: "active",
  created_by: "Ada Lovelace",
  created_at: "2026-06-03T09:00:00.000Z",
  expires_at: "2026-09-01T09:00:00.000Z",
  last_used_at: "2026-06-03T09:05:00.000Z",
  last_used_client: "claude-code/2.1",
  revoked_at: null,
  replaced_by: null,
  allowed_cidrs: ["10.0.0.0/8"],
  approval: "none",
  kinds: [],
  hidden_fields: [],
};

export const listApiKeys = defineOperation({
  name: "listApiKeys",
  tag,
  summary: "List the workspace's API keys, newest first",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/api-keys" },
  input: z.strictObject({}),
  output: z.strictObject({ keys: z.array(ApiKey) }),
  example: { input: {} },
});

export const mintApiKey = defineOperation({
  name: "mintApiKey",
  tag,
  summary: "Create an API key",
  surface: "app",
  scope: "admin",
  role: "admin",
  recent: ({ scopes }) => scopes.includes("admin") || scopes.includes("directory"),
  http: { method: "POST", path: "/api-keys", status: 201 },
  input: z.strictObject({
    name: nonBlank().trim().max(100).describe("What uses it; up to 100 characters."),
    scopes: z.array(z.enum(keyScopes)).min(1).max(keyScopes.length).describe(`What it may do. ${scopesWords}`),
    expires_in_days: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe("Days until it stops working; neither this nor `expires_at`: never."),
    expires_at: Time.optional().describe("When it stops working; must be in the future."),
    allowed_cidrs: z
      .array(z.string())
      .max(50)
      .default([])
      .describe("IPv4 and IPv6 addresses or ranges it may be used from; none: any."),
    approval: z.enum(approvalModes).default("none").describe(`${approvalWords} Default \`none\`.`),
    ...limitInput,
  }),
  output: Minted,
  feature: limitFeature,
  errors: ["name_required", "invalid_cidr", "role_required", "recent_sign_in_required", "feature_not_in_plan"],
  codes: { missing: { name: "name_required" } },
  secrets: { output: ["api_key"] },
  example: {
    input: { name: "Outreach agent", scopes: ["read", "write"], expires_in_days: 90, allowed_cidrs: ["10.0.0.0/8"] },
  },
});

const missing = { codes: { fields: { id: "api_key_not_found" } } } as const;

export const rotateApiKey = defineOperation({
  name: "rotateApiKey",
  tag,
  summary: "Replace an API key",
  description:
    "Creates a successor with the same name, scopes, addresses, lifetime, limits and need of approval. The old key keeps working for `overlap_hours`, or stops at once when that is 0. A key that was revoked, has expired or has been replaced answers 409 `api_key_revoked`.",
  surface: "app",
  scope: "admin",
  role: "admin",
  recent: () => true,
  http: { method: "POST", path: "/api-keys/:id/rotate", status: 201 },
  input: z.strictObject({
    id: Id,
    overlap_hours: z.int().min(0).max(720).default(24).describe("Hours; 0 to 720, default 24."),
  }),
  output: Minted,
  errors: ["api_key_not_found", "api_key_revoked", "role_required", "recent_sign_in_required"],
  ...missing,
  secrets: { output: ["api_key"] },
  example: { input: { id: exampleKey.id, overlap_hours: 24 } },
});

export const changeApiKey = defineOperation({
  name: "changeApiKey",
  tag,
  summary: "Say whether what an API key would change waits for approval, and what it is kept from",
  description: "Counts from the key's next request. What waits already keeps waiting. What is not given stays.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "PATCH", path: "/api-keys/:id" },
  input: z.strictObject({
    id: Id,
    approval: z.enum(approvalModes).optional().describe(approvalWords),
    ...limitInput,
  }),
  output: z.strictObject({ key: ApiKey }),
  feature: limitFeature,
  errors: ["api_key_not_found", "api_key_revoked", "feature_not_in_plan"],
  ...missing,
  example: {
    input: { id: exampleKey.id, approval: "writes" },
  },
});

export const revokeApiKey = defineOperation({
  name: "revokeApiKey",
  tag,
  summary: "Revoke an API key: it stops working with the next request",
  description: "Changes of the key that wait for approval are cancelled.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/api-keys/:id/revoke" },
  input: z.strictObject({
    id: Id,
    confirm: z.string().optional().describe("The key's name, typed to confirm."),
  }),
  output: z.strictObject({ key: ApiKey }),
  errors: ["api_key_not_found", "api_key_revoked", "confirmation_mismatch"],
  ...missing,
  example: {
    input: { id: exampleKey.id, confirm: exampleKey.name },
  },
});

export const getAgentActivity = defineOperation({
  name: "getAgentActivity",
  tag,
  summary: "When an agent last used the workspace",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/agent-activity" },
  input: z.strictObject({}),
  output: z.strictObject({
    last_used_at: Timestamp.nullable(),
    client: z.string().nullable().describe("What the caller named itself, or the name of a connected client."),
    key_id: Id.nullable().describe("The key that was used; null for a connected client, which has none."),
    key_name: z.string().nullable(),
    at_work: z
      .boolean()
      .describe("In the last days an agent asked for the context of a person, or recorded something."),
  }),
  example: {
    input: {},
  },
});

export const getCaller = defineOperation({
  name: "getCaller",
  tag,
  summary: "Who you are: the workspace, and what your API key may do",
  description:
    "The first call of a client: it shows that the key works, and for which workspace, plan and scopes. It changes nothing.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/me" },
  input: z.strictObject({}),
  output: z.strictObject({
    workspace: z.strictObject({ id: Id, name: z.string() }).describe("The workspace that the key belongs to."),
    plan: z.enum(plans).describe("The workspace's plan."),
    scopes: z
      .array(z.enum(keyScopes))
      .describe("What you may do; each scope implies the ones before it: read, write, admin."),
    approval: z.enum(approvalModes).describe(approvalWords),
    actor: z
      .strictObject({
        type: z.string().describe("`api_key`, `mcp` or `user`."),
        id: z.string().describe("Id of the key or the user."),
        role: z.enum(roles).nullable().describe("Role of a signed-in member; null for an API key."),
        name: z.string().nullable().describe("Name of the key."),
        expires_at: Timestamp.nullable().describe("When the key stops working; null: never."),
      })
      .describe("Who calls, as observations and the audit log name it."),
  }),
  example: {
    input: {},
    output: {
      workspace: { id: "0190a6e0-0000-7000-8000-000000000001", name: "Acme" },
      plan: "scale",
      scopes: ["read", "write"],
      approval: "none",
      actor: {
        type: "api_key",
        id: exampleKey.id,
        role: null,
        name: exampleKey.name,
        expires_at: exampleKey.expires_at,
      },
    },
  },
});
