import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { roles, scopes } from "#lib/core/plans.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

const tag = "Device login";

const exampleCode = "••••••••••••••••••••••••••••••••";
const exampleUserCode = "WDJB-MJHT";
const workspaceId = "0190a6e0-0000-7000-8000-000000000001";

const Scopes = z.array(z.enum(scopes)).min(1).max(scopes.length);

export const startDeviceLogin = defineOperation({
  name: "startDeviceLogin",
  tag,
  summary: "Ask a person to sign a program in, by a code in their browser",
  description:
    "For programs without a browser of their own, after RFC 8628. Show `user_code` and open `verification_uri_complete`; then poll every `interval` seconds until a member of a workspace approved or denied, at most `expires_in` seconds.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/cli/auth/start" },
  input: z.strictObject({
    host: z
      .string()
      .max(200)
      .optional()
      .describe("Name of the machine, which the person sees and the key is named after."),
    scopes: Scopes.default(["read", "write"]).describe(
      "What the program wants to do: read, write, admin. The person who approves may change it.",
    ),
  }),
  output: z.strictObject({
    device_code: z.string().describe("Secret of the program, for polling."),
    user_code: z.string().describe("What the person compares or types: 8 letters, as XXXX-XXXX."),
    verification_uri: z.string().describe("Page that asks for the code."),
    verification_uri_complete: z.string().describe("The same page with the code filled in."),
    interval: z.int().describe("Seconds to wait between two polls."),
    expires_in: z.int().describe("Seconds until the codes stop working."),
  }),
  errors: ["rate_limited"],
  secrets: { output: ["device_code"] },
  example: {
    input: { host: "ada-laptop", scopes: ["read", "write"] },
  },
});

export const pollDeviceLogin = defineOperation({
  name: "pollDeviceLogin",
  tag,
  summary: "Whether the login was approved; the first answer that says so brings the API key",
  description:
    "`consumed`: the key was handed out before. A poll before `interval` seconds have passed answers 429 `slow_down` with `status: pending` and a longer `interval`, which holds from then on.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/cli/auth/poll" },
  input: z.strictObject({ device_code: z.string().max(200).describe("From the answer of the start.") }),
  output: z.union([
    z.strictObject({
      status: z.literal("approved"),
      api_key: z.string().describe("The key itself, in this answer only."),
      workspace_id: Id,
    }),
    z.strictObject({ status: z.enum(["pending", "denied", "expired", "consumed"]) }),
  ]),
  errors: ["login_not_found", "slow_down", "rate_limited"],
  secrets: { output: ["api_key"] },
  example: {
    input: { device_code: exampleCode },
  },
});

export const revokePresentedKey = defineOperation({
  name: "revokePresentedKey",
  tag,
  summary: "Sign a program out: revoke the API key that is sent",
  description:
    "Holding a key is enough to end it, whatever its scopes. `revoked` is false when it did not work any more, or is no key of this server.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/cli/auth/revoke" },
  input: z.strictObject({ api_key: z.string().max(200).describe("The whole key.") }),
  output: z.strictObject({ revoked: z.boolean() }),
  example: { input: { api_key: "rpt_k3Xp0A_••••••••" } },
});

const UserCode = z.string().max(50).describe("The code that the program shows; case, dashes and spaces do not matter.");

const DeviceLogin = z.strictObject({
  user_code: z.string(),
  status: z.enum(["pending", "approved", "denied", "expired", "consumed"]),
  host: z.string().nullable().describe("What the program calls its machine. It is not checked."),
  client: z.string().nullable().describe("What the program calls itself (`x-service-client`). It is not checked."),
  ip: z.string().describe("Address that the request came from."),
  scopes: Scopes,
  started_at: Timestamp,
  expires_at: Timestamp,
});
export type DeviceLogin = z.output<typeof DeviceLogin>;

const codes = { fields: { user_code: "login_not_found" } } as const;

export const getDeviceLogin = defineOperation({
  name: "getDeviceLogin",
  tag,
  summary: "Which program asks to be signed in with this code",
  surface: "user",
  scope: "read",
  http: { method: "GET", path: "/api/account/device-logins/:user_code" },
  input: z.strictObject({ user_code: UserCode }),
  output: z.strictObject({
    login: DeviceLogin,
    workspaces: z
      .array(
        z.strictObject({
          id: Id,
          name: z.string(),
          role: z.enum(roles),
          scopes: Scopes.describe("What you may let a program do there."),
        }),
      )
      .describe("The workspaces that you belong to."),
  }),
  errors: ["login_not_found", "rate_limited"],
  codes,
  example: {
    input: { user_code: exampleUserCode },
  },
});

export const approveDeviceLogin = defineOperation({
  name: "approveDeviceLogin",
  tag,
  summary: "Let the program sign in to one of your workspaces",
  description: "It gets an API key of its own with its next poll, named after its machine.",
  surface: "user",
  scope: "write",
  recent: ({ scopes }) => scopes.includes("admin"),
  http: { method: "POST", path: "/api/account/device-logins/:user_code/approve" },
  input: z.strictObject({
    user_code: UserCode,
    workspace_id: Id.describe("The workspace that it may work in."),
    scopes: Scopes.default(["read", "write"]).describe("What it may do; not more than you may yourself."),
  }),
  output: z.strictObject({ login: DeviceLogin }),
  errors: [
    ...["login_not_found", "login_decided", "workspace_not_found", "role_required", "rate_limited"],
    ...["recent_sign_in_required", "second_factor_required", "oidc_required"],
  ] as const,
  codes: { fields: { ...codes.fields, workspace_id: "workspace_not_found" } },
  example: {
    input: { user_code: exampleUserCode, workspace_id: workspaceId, scopes: ["read", "write"] },
  },
});

export const denyDeviceLogin = defineOperation({
  name: "denyDeviceLogin",
  tag,
  summary: "Do not let the program sign in",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/device-logins/:user_code/deny" },
  input: z.strictObject({ user_code: UserCode }),
  output: z.strictObject({ login: DeviceLogin }),
  errors: ["login_not_found", "login_decided", "rate_limited"],
  codes,
  example: { input: { user_code: exampleUserCode } },
});
