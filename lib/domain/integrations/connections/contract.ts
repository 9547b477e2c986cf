import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { BLANK, Id, nonBlank, Timestamp } from "#lib/core/schema.ts";
import { type ProviderName, providerNames, registry } from "#lib/providers/registry.ts";

const tag = "Integrations";

export const providers = providerNames;
export type Provider = ProviderName;

export const WebhookStatus = z.enum(["none", "pending", "live", "failed"]).meta({
  id: "WebhookStatus",
  description: "`pending`: set up, no verified delivery yet. `failed`: could not be set up; `message` says why.",
});

export const Integration = z
  .strictObject({
    provider: z.enum(providers),
    display_name: z.string(),
    category: z.enum(["booking", "recording", "crm"]),
    connected: z.boolean(),
    is_verified: z.boolean().describe("The provider accepted the credentials when it was last asked."),
    webhook_status: WebhookStatus,
    last_event_at: Timestamp.nullable().describe("When the last verified delivery came."),
    message: z
      .string()
      .optional()
      .describe(
        "What needs attention and what to do about it; absent when nothing does. Among it: deliveries that were turned away since the last verified one, how many, why and since when.",
      ),
  })
  .meta({ id: "Integration", description: "An outside system, and how its connection is." });
export type Integration = z.output<typeof Integration>;

export const listIntegrations = defineOperation({
  name: "listIntegrations",
  tag,
  summary: "List the systems the workspace can be connected to, and how each connection is",
  description:
    "Every system Rapport can be connected to, connected or not, with the state of its webhook and what needs attention.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/integrations" },
  input: z.strictObject({}),
  output: z.strictObject({ integrations: z.array(Integration) }),
  example: {
    input: {},
    output: {
      integrations: [
        {
          provider: "cal_com",
          display_name: "Cal.com",
          category: "booking",
          connected: true,
          is_verified: true,
          webhook_status: "live",
          last_event_at: "2026-06-03T09:00:00.000Z",
        },
      ],
    },
  },
});

/** Which credentials each provider takes. */
function wanted(): string {
  return Object.entries(registry)
    .map(
      ([
        name,
        {
          credentials: { required, optional },
        },
      ]) => {
        const more = optional.length > 0 ? `, optionally \`${optional.join("`, `")}\`` : "";
        return `\`${name}\`: \`{${required.join(", ")}}\`${more}.`;
      },
    )
    .join(" ");
}

const credentials = z
  .record(z.string(), z.string().max(4096))
  .refine((change) => Object.keys(change).length > 0, { error: BLANK })
  .describe(wanted());
const provider = nonBlank().describe(`One of ${providers.join(", ")}.`);

const whatToGive = {
  missing: { provider: "provider_and_credentials_required", credentials: "provider_and_credentials_required" },
  fields: { credentials: "invalid_credentials" },
} as const;
const refusals = [
  "provider_and_credentials_required",
  "invalid_credentials",
  "unknown_provider",
  "provider_unavailable",
] as const;

const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

export const connectIntegration = defineOperation({
  name: "connectIntegration",
  tag,
  summary: "Connect the workspace to an outside system",
  description:
    "Asks the provider whether it accepts the credentials, keeps them encrypted, and for `cal_com` registers the webhook that reports bookings. If that fails the connection stays, with `webhook_status` `failed` and the reason in `message`. Connecting again replaces the connection.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/integrations", status: 201 },
  input: z.strictObject({
    provider,
    credentials,
    name: nonBlank().trim().max(100).optional().describe("What you call it; up to 100 characters."),
  }),
  output: z.strictObject({
    ok: z.literal(true),
    connection: z.strictObject({
      id: Id,
      provider: z.enum(providers),
      name: z.string(),
      is_verified: z.boolean(),
      webhook_status: WebhookStatus,
    }),
    message: z.string(),
  }),
  errors: refusals,
  codes: whatToGive,
  secrets: { input: ["credentials"] },
  tool: {
    name: "connect_integration",
    description: "Connect a booking, recording or CRM system with its credentials. Replaces an earlier connection.",
    parameters: ["provider", "credentials", "name"],
    hints: ["destructive", "idempotent", "openWorld"],
  },
  example: {
    input: { provider: "fathom", credentials: { signing_secret: exampleSecret } },
    output: {
      ok: true,
      connection: {
        id: "0190a6e0-0000-7000-8000-000000000031",
        provider: "fathom",
        name: "Fathom",
        is_verified: true,
        webhook_status: "pending",
      },
      message: "Fathom is connected. The webhook goes live with its first verified delivery.",
    },
  },
});
export type ConnectAnswer = z.output<typeof connectIntegration.output>;

export const disconnectIntegration = defineOperation({
  name: "disconnectIntegration",
  tag,
  summary: "Disconnect an outside system, and delete its webhook there",
  description: "What was captured stays. 404 `not_connected` when there is no connection.",
  surface: "public",
  scope: "admin",
  http: { method: "DELETE", path: "/v2/workspace/integrations/:provider", status: 204 },
  input: z.strictObject({ provider }),
  output: z.strictObject({}),
  errors: ["unknown_provider", "not_connected"],
  example: { input: { provider: "fathom" }, output: {} },
});

export const testIntegration = defineOperation({
  name: "testIntegration",
  tag,
  summary: "Ask a provider whether it accepts credentials, without keeping them",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/integrations/test" },
  input: z.strictObject({ provider, credentials }),
  output: z.strictObject({
    ok: z.literal(true),
    account: z.string().nullable().describe("Whose account it is, where the provider says so."),
  }),
  errors: refusals,
  codes: whatToGive,
  secrets: { input: ["credentials"] },
  example: {
    input: { provider: "fathom", credentials: { signing_secret: exampleSecret } },
  },
});

export const checkIntegration = defineOperation({
  name: "checkIntegration",
  tag,
  summary: "Ask a provider whether it still accepts the credentials of a connection",
  description: "An answer that they are refused is shown at the connection; so is its end once they are accepted.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/integrations/:provider/check" },
  input: z.strictObject({ provider }),
  output: z.strictObject({
    ok: z.literal(true),
    account: z.string().nullable().describe("Whose account it is, where the provider says so."),
  }),
  errors: ["unknown_provider", "not_connected", "invalid_credentials", "provider_unavailable"],
  example: { input: { provider: "fathom" } },
});

export const IntegrationDetail = Integration.extend({
  name: z.string().nullable(),
  account: z.string().nullable(),
  connected_at: Timestamp.nullable(),
  connected_by: z.string().nullable(),
  webhook_url: z.string().nullable().describe("Where the provider delivers to; null when it does not deliver."),
  address_problem: z
    .string()
    .nullable()
    .describe("Why the provider cannot deliver to this server's address, and how to change it; null when it can."),
  secret_from: z.enum(["connection", "server"]).nullable().describe("Where the signing secret comes from."),
  turned_away: z.int().describe("Deliveries turned away since the last verified one; `message` says why."),
  synced_at: Timestamp.nullable().describe("Changes at the provider until then are known."),
});
export type IntegrationDetail = z.output<typeof IntegrationDetail>;

export const getIntegration = defineOperation({
  name: "getIntegration",
  tag,
  summary: "One integration as its card shows it",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/integrations/:provider" },
  input: z.strictObject({ provider }),
  output: IntegrationDetail,
  errors: ["unknown_provider"],
  example: {
    input: { provider: "cal_com" },
  },
});

export const registerAgain = defineOperation({
  name: "registerAgain",
  tag,
  summary: "Register the webhook of a connection again",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/integrations/:provider/webhook" },
  input: z.strictObject({ provider }),
  output: z.strictObject({ integration: Integration }),
  errors: ["unknown_provider", "not_connected"],
  example: {
    input: { provider: "fathom" },
  },
});
