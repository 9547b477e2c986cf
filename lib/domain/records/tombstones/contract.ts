import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";

export const allowAgain = defineOperation({
  name: "allowAgain",
  tag: "Accounts",
  summary: "Let webhooks and imports create an erased person again",
  description:
    "Erasing a person keeps a keyed hash of each of their identifiers, and webhooks and imports do not create anyone with one of these. This ends it for one identifier. People and API keys can create the person again in any case.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/accounts/allow" },
  input: z.strictObject({
    identifier: z.string().max(2_000).describe("E-mail address or LinkedIn URL of the erased person."),
  }),
  output: z.strictObject({ allowed: z.boolean().describe("False: no person with it was erased, so nothing changed.") }),
  errors: ["invalid_identifier"],
  codes: { fields: { identifier: "invalid_identifier" } },
  example: { input: { identifier: "anna@acme.com" }, output: { allowed: true } },
});
