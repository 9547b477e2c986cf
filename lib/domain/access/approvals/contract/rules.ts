import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

const tag = "Approvals";

/** What a person allowed a key or connected client for good, when they approved a value. */
export const ApprovalRule = z.strictObject({
  id: Id,
  asker_id: Id.describe("The API key or connected client that it is for."),
  property: z.string().describe("What it may set on every record, also where a person said the value."),
  created_by: z.string().nullable().describe("Name of the person who allowed it."),
  created_at: Timestamp,
});
export type ApprovalRule = z.output<typeof ApprovalRule>;

export const listApprovalRules = defineOperation({
  name: "listApprovalRules",
  tag,
  summary: "What keys and connected clients may always set",
  description: "Rules that people made when they approved a value, by property. They count for `human_fields` only.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/approval-rules" },
  input: z.strictObject({}),
  output: z.strictObject({ rules: z.array(ApprovalRule) }),
  example: { input: {} },
});

export const removeApprovalRule = defineOperation({
  name: "removeApprovalRule",
  tag,
  summary: "Have values of a key or client wait for approval again",
  description: "Counts from its next request.",
  surface: "app",
  scope: "write",
  http: { method: "DELETE", path: "/approval-rules/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ id: Id }),
  errors: ["approval_rule_not_found"],
  codes: { fields: { id: "approval_rule_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000043" } },
});
