import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Company, exampleCompany, examplePerson, Person } from "#lib/domain/crm/people/contract.ts";
import { Ambiguous, OneFocus } from "./focus.ts";

export const getPerson = defineOperation({
  name: "getPerson",
  tag: "People",
  summary: "Read one person as the list has them",
  description:
    "The row of `GET /v2/people`, whatever its status. A name that several people have answers with the candidates; `GET /v2/accounts/{focus}` has everything known about the person.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/people/:focus" },
  input: z.strictObject({ focus: OneFocus }),
  output: z.union([z.strictObject({ person: Person }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  example: { input: { focus: "anna@acme.com" }, output: { person: examplePerson } },
});

export const getCompany = defineOperation({
  name: "getCompany",
  tag: "Companies",
  summary: "Read one company as the list has it",
  description:
    "The row of `GET /v2/companies`, whatever its status. A name that several companies have answers with the candidates; `GET /v2/accounts/{focus}` has everything known about the company.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/companies/:focus" },
  input: z.strictObject({ focus: OneFocus }),
  output: z.union([z.strictObject({ company: Company }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  example: { input: { focus: "acme.com" }, output: { company: exampleCompany } },
});
