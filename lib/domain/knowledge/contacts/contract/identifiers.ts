import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";
import { exampleId, tag } from "./focus.ts";

export const Identifiers = z
  .array(z.strictObject({ kind: z.string(), value: z.string() }))
  .describe("Active identifiers; the first of a kind is the primary one, which lists show.");

const IdentifierFields = {
  focus: z.string().describe("Entity id, e-mail, LinkedIn URL or domain."),
  kind: z
    .enum(["email", "linkedin_url", "domain"])
    .describe("People have e-mails and LinkedIn URLs, companies domains and LinkedIn URLs."),
  value: z.string().min(1).max(500).describe("The identifier; it is normalised."),
};

const identifierErrors = [
  "invalid_focus",
  "entity_not_found",
  "invalid_email",
  "invalid_linkedin_url",
  "invalid_domain",
] as const;

export const addIdentifier = defineOperation({
  name: "addIdentifier",
  tag,
  summary: "Add an identifier to a person or company, or make it primary",
  description:
    "A record may have several identifiers of a kind; lists show the primary one: the first, or any that is given with `primary: true`, also when the record has it already. One that another record has is 409 `identifier_conflict` with that record's id. The evidence keeps who added it.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/accounts/:focus/identifiers" },
  input: z.strictObject({
    ...IdentifierFields,
    primary: z.boolean().default(false).describe("True makes it the primary one of its kind."),
  }),
  output: z.strictObject({
    entity_id: Id,
    added: z.boolean().describe("False when the record had it already."),
    identifiers: Identifiers,
  }),
  errors: [...identifierErrors, "identifier_conflict"],
  example: {
    input: { focus: "anna@acme.com", kind: "email", value: "anna.smith@acme.com" },
    output: {
      entity_id: exampleId,
      added: true,
      identifiers: [
        { kind: "email", value: "anna@acme.com" },
        { kind: "email", value: "anna.smith@acme.com" },
      ],
    },
  },
});

export const removeIdentifier = defineOperation({
  name: "removeIdentifier",
  tag,
  summary: "Take an identifier from a person or company",
  description:
    "The record is no longer found by it, and another may take it. The evidence keeps that it was there and who removed it. Where it was the primary one, the latest other of its kind becomes primary.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/accounts/:focus/identifiers/remove" },
  input: z.strictObject(IdentifierFields),
  output: z.strictObject({ entity_id: Id, identifiers: Identifiers }),
  errors: [...identifierErrors, "identifier_not_found"],
  example: {
    input: { focus: "anna@acme.com", kind: "email", value: "anna@acme.com" },
    output: { entity_id: exampleId, identifiers: [] },
  },
});
