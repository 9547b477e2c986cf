import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";
import { exampleEvidence, exampleId, tag } from "./focus.ts";

export const withdrawValue = defineOperation({
  name: "withdrawValue",
  tag,
  summary: "Take back a value that a person gave",
  description:
    "What would be believed without it is believed again, and a dispute that it settled is open again. The evidence keeps both. Taking it back again changes nothing. A stage and an owner are set anew instead.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/accounts/:id/withdraw" },
  input: z.strictObject({ id: Id, observation_id: Id }),
  output: z.strictObject({ entity_id: Id, property: z.string(), value: z.json().describe("What is believed now.") }),
  errors: ["entity_not_found", "observation_not_found", "only_value"],
  codes: { fields: { id: "entity_not_found", observation_id: "observation_not_found" } },
  example: { input: { id: exampleId, observation_id: exampleEvidence } },
});
