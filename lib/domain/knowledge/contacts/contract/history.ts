import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Confidence, EpistemicClass } from "./claims.ts";
import { AccountFocus, Ambiguous, exampleEvidence, exampleId, tag } from "./focus.ts";

export const getHistory = defineOperation({
  name: "getHistory",
  tag,
  summary: "Every value a property has had",
  description:
    "All evidence on one property by the time it was true, the latest first. `value` null says that the fact ended. `standing` says what each is worth today.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/history" },
  input: z.strictObject({
    focus: AccountFocus,
    property: z.string().min(1).max(200).describe("The property, such as `job_title`."),
    ...cursorPaging(100, 500),
  }),
  output: z.union([
    z.strictObject({
      entity_id: Id,
      property: z.string(),
      values: z.array(
        z.strictObject({
          observation_id: Id,
          value: z.json(),
          name: z.string().optional().describe("Of `works_at`: what the company is called."),
          source: z.string(),
          epistemic_class: EpistemicClass,
          observed_at: Timestamp.describe("When it was true."),
          recorded_at: Timestamp.describe("When we learned it."),
          caused_by: Id.optional().describe("The activity that caused it, or the value that it takes back."),
          standing: z
            .enum(["current", "conflicting", "past"])
            .describe("`current` supports the present value, `conflicting` disagrees with it, `past` came before it."),
        }),
      ),
      ...cursorPage,
    }),
    Ambiguous,
  ]),
  errors: ["entity_not_found", "claim_not_found"],
  example: {
    input: { focus: "anna@acme.com", property: "job_title" },
    output: {
      entity_id: exampleId,
      property: "job_title",
      values: [
        {
          observation_id: exampleEvidence,
          value: "VP Sales",
          source: "crm",
          epistemic_class: "observed",
          observed_at: "2026-06-03T09:00:00.000Z",
          recorded_at: "2026-06-03T09:00:00.000Z",
          standing: "current",
        },
      ],
      limit: 100,
      has_more: false,
      next_cursor: null,
    },
  },
});

export const getConfidence = defineOperation({
  name: "getConfidence",
  tag,
  summary: "How sure we could be of a property since it was first recorded",
  description:
    "The confidence at the moments of the latest evidence and between them, by what is known today. It is 0 while the property had no value.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/accounts/:id/confidence" },
  input: z.strictObject({ id: Id, property: z.string().min(1).max(200) }),
  output: z.strictObject({
    points: z.array(z.strictObject({ at: Timestamp, confidence: Confidence })).describe("The oldest first, now last."),
  }),
  errors: ["entity_not_found", "claim_not_found"],
  codes: { fields: { id: "entity_not_found" } },
  example: {
    input: { id: exampleId, property: "job_title" },
  },
});
