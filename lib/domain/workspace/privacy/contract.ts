import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";

const exampleId = "0190a6e0-0000-7000-8000-000000000010";

export const erasePerson = defineOperation({
  name: "erasePerson",
  tag: "Accounts",
  summary: "Erase a person for good",
  description:
    "Removes the person and everything that was merged into them: identifiers, observations, claims, notes, merges and kept answers. It cannot be undone. The audit log keeps that it happened, with the id. What other records say in their own words stays, and a CRM's copy; backups are the operator's.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/accounts/erase" },
  input: z.strictObject({ focus: z.string().describe("Entity id, e-mail or LinkedIn URL of the person.") }),
  output: z.strictObject({
    entity_id: Id,
    erased: z.strictObject({ observations: z.int(), notes: z.int(), identifiers: z.int() }),
  }),
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "anna@acme.com" },
    output: { entity_id: exampleId, erased: { observations: 42, notes: 3, identifiers: 2 } },
  },
});
