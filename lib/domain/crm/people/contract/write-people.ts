import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { personFields } from "#lib/domain/crm/recording/contract.ts";
import { Stage } from "./fields.ts";
import { examplePerson, Person } from "./person.ts";
import {
  CustomInput,
  clearable,
  createdOrNot,
  endsSomething,
  exampleWritten,
  leavesOthers,
  managed,
  Outcomes,
  oneAfterAnother,
  Patched,
  rowsOf,
  written,
} from "./writing.ts";

const personInput = {
  email: z.string().max(300).nullable().optional().describe("Identifier. null retires the addresses the person has."),
  linkedin_url: z.string().max(300).nullable().optional().describe("Identifier. null retires it."),
  first_name: clearable(200).describe("Given name."),
  last_name: clearable(200).describe("Family name."),
  job_title: clearable(300).describe("Job title."),
  company: clearable(300).describe(
    "Company name. A business e-mail links its company, which gets this name if it has none.",
  ),
  phone: z.string().max(50).nullable().optional().describe("E.164, or a number with its country code."),
  pipeline_stage: Stage.optional().describe("Moves the stage either way; later signals may still advance it."),
  ...managed,
};
const Written = z.strictObject({ person: Person, created: z.boolean(), ...written });

const writeErrors = [
  "identifier_required",
  "identifier_conflict",
  "invalid_email",
  "invalid_linkedin_url",
  "invalid_phone",
  "invalid_property",
] as const;

export const upsertPerson = defineOperation({
  name: "upsertPerson",
  tag: "People",
  summary: "Create or update a person by any identifier",
  description: `201 when the person is new, 200 when an identifier named one that exists. ${leavesOthers}`,
  surface: "public",
  scope: "write",
  asksPerson: endsSomething,
  http: { method: "POST", path: "/v2/people", status: createdOrNot },
  input: z.object(personInput).catchall(CustomInput).meta({ id: "PersonInput" }),
  output: Written,
  errors: writeErrors,
  example: {
    input: { email: "anna@acme.com", first_name: "Anna", job_title: "Head of Sales", region: "DACH" },
    output: { person: examplePerson, created: true, ...exampleWritten("job_title", "Head of Sales") },
  },
});

export const patchPerson = defineOperation({
  name: "patchPerson",
  tag: "People",
  summary: "Change a person",
  description: `${leavesOthers} Each value is recorded as evidence, so nothing is lost: what a person writes in the app is \`asserted\`, what a key writes \`observed\`.`,
  surface: "public",
  scope: "write",
  asksPerson: endsSomething,
  http: { method: "PATCH", path: "/v2/people/:focus" },
  input: z.object({ focus: Patched, ...personInput }).catchall(CustomInput),
  output: z.strictObject({ person: Person, ...written }),
  errors: ["invalid_focus", "entity_not_found", ...writeErrors],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "anna@acme.com", pipeline_stage: "evaluating" },
    output: {
      person: { ...examplePerson, pipeline_stage: "evaluating" },
      ...exampleWritten("pipeline_stage", "evaluating"),
    },
  },
});

export const upsertPeople = defineOperation({
  name: "upsertPeople",
  tag: "People",
  summary: "Create or update up to 1,000 people",
  description: oneAfterAnother,
  surface: "public",
  scope: "write",
  asksPerson: ({ people }) => people.some(endsSomething),
  http: { method: "POST", path: "/v2/people/bulk", body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({ people: rowsOf("people", "PersonInput") }),
  output: Outcomes,
  codes: { fields: { people: "invalid_parameter" } },
  example: {
    input: { people: [{ email: "anna@acme.com" }, { first_name: "Bob" }] },
    output: {
      results: [
        { index: 0, status: "created", entity_id: examplePerson.id },
        {
          index: 1,
          status: "failed",
          entity_id: null,
          error: "identifier_required",
          message: "Give at least one identifier: email or linkedin_url.",
        },
      ],
      created: 1,
      updated: 0,
      failed: 1,
    },
  },
});

/** Names a caller cannot use for a custom property of a person. */
export const reservedForPeople: readonly string[] = [
  ...personFields,
  "email",
  "linkedin_url",
  "status",
  "id",
  "entity_id",
  "company_id",
  "created_at",
  "updated_at",
  "last_activity_at",
  "focus",
  "properties",
  "name",
];
