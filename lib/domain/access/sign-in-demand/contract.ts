import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { signInDemands } from "#lib/core/sign-in-demands.ts";

const tag = "Workspace";

const Demand = z
  .enum(signInDemands)
  .describe(
    "`second_factor`: a code or a passkey. `oidc`: an OIDC provider of this server, or the one whose groups bring members. `any`: every way to sign in.",
  );

export const getSignInDemand = defineOperation({
  name: "getSignInDemand",
  tag,
  summary: "How members must have signed in to open the workspace",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/workspace/sign-in" },
  input: z.strictObject({}),
  output: z.strictObject({
    demand: Demand,
    of_server: Demand.describe("What the operator demands of every workspace, beside its own."),
    oidc: z.string().nullable().describe("Names of the OIDC providers that count."),
  }),
  example: { input: {} },
});

export const setSignInDemand = defineOperation({
  name: "setSignInDemand",
  tag,
  summary: "Demand a second factor or the OIDC provider of everyone who opens the workspace",
  description:
    "You must have signed in that way yourself, so that you do not lock yourself out (409 `locks_out`). Members who have not are led to it. API keys and connected clients go on.",
  surface: "app",
  scope: "admin",
  role: "admin",
  recent: () => true,
  http: { method: "PATCH", path: "/workspace/sign-in" },
  input: z.strictObject({ demand: Demand }),
  output: z.strictObject({ demand: Demand }),
  errors: ["locks_out", "recent_sign_in_required"],
  example: { input: { demand: "any" } },
});
