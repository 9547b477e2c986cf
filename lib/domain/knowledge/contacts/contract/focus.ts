import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";

export const tag = "Accounts";

export const AccountFocus = z
  .string()
  .describe("Entity id, e-mail, LinkedIn URL, domain or name; `workspace` names the workspace itself.");

/** The answer to a name that several people or companies have. */
export const Ambiguous = z
  .strictObject({
    status: z.literal("ambiguous"),
    candidates: z
      .array(z.strictObject({ entity_id: Id, name: z.string(), detail: z.string() }))
      .describe("At most 10, the most recently active first. Call again with one of the ids."),
    more: z.int().optional().describe("How many others match, of the first 50 people and 50 companies."),
  })
  .meta({ id: "Ambiguous", description: "Several people or companies have that name." });
export type Ambiguous = z.output<typeof Ambiguous>;

export const exampleId = "0190a6e0-0000-7000-8000-000000000001";
export const exampleEvidence = "0190a6e0-0000-7000-8000-00000000000b";

export const OneFocus = z.string().describe("Entity id, e-mail, LinkedIn URL, domain or name.");

/** For tools, whose callers may name a record where the API takes an identifier. */
export const resolveFocus = defineOperation({
  name: "resolveFocus",
  tag,
  summary: "Find the record that a name or identifier means",
  surface: "app",
  scope: "read",
  http: { method: "POST", path: "/resolve" },
  input: z.strictObject({ focus: OneFocus.min(1).max(2_048) }),
  output: z.union([z.strictObject({ entity_id: Id, type: z.enum(["person", "company", "workspace"]) }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  example: { input: { focus: "anna@acme.com" } },
});
