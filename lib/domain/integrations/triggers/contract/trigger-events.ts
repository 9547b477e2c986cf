import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { eventGroups, sampleBody } from "../events.ts";
import { tag } from "./trigger.ts";

export const TriggerEvent = z
  .strictObject({
    type: z.string(),
    label: z.string(),
    group: z.enum(eventGroups),
    description: z.string(),
    alias_of: z.string().nullable().describe("The event that this is another name of."),
    sample: z.record(z.string(), z.json()).describe("A request's body."),
    schema: z.record(z.string(), z.json()).describe("JSON Schema of the body."),
  })
  .meta({ id: "TriggerEvent", description: "An event that triggers can be made for." });
export type TriggerEvent = z.output<typeof TriggerEvent>;

export const listTriggerEvents = defineOperation({
  name: "listTriggerEvents",
  tag,
  summary: "List the events that triggers can be made for, with a sample of each",
  description: "Names, aliases, what each is about, a sample of a request's body, and the JSON Schema of it.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/trigger-events" },
  input: z.strictObject({}),
  output: z.strictObject({ events: z.array(TriggerEvent) }),
  example: {
    input: {},
    output: {
      events: [
        {
          type: "stage.advanced",
          label: "Stage advanced",
          group: "Pipeline",
          description: "A person moved up the pipeline.",
          alias_of: null,
          sample: sampleBody("stage.advanced") as never,
          schema: { type: "object" },
        },
      ],
    },
  },
});
