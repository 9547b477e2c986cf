import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/people/contract.ts";

export const getOverview = defineOperation({
  name: "getOverview",
  tag: "Overview",
  summary: "How many people stand at each stage",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/overview" },
  input: z.strictObject({}),
  output: z.strictObject({
    stages: z
      .array(z.strictObject({ stage: Stage, people: z.int() }))
      .describe("Every stage, lowest first. Archived people do not count."),
    people: z.int(),
  }),
  example: {
    input: {},
    output: {
      stages: [
        { stage: "identified", people: 120 },
        { stage: "aware", people: 60 },
        { stage: "interested", people: 24 },
        { stage: "evaluating", people: 8 },
        { stage: "client", people: 5 },
      ],
      people: 217,
    },
  },
});

/** How many names may be asked for at once. */
export const MOST_NAMES = 200;

const exampleId = "0190a6e0-0000-7000-8000-000000000001";

export const getNames = defineOperation({
  name: "getNames",
  tag: "Overview",
  summary: "What people and companies are called",
  description: "An id that names neither a person nor a company is left out.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/names" },
  input: z.strictObject({ ids: z.array(Id).min(1).max(MOST_NAMES) }),
  output: z.strictObject({
    names: z.array(z.strictObject({ id: Id, type: z.enum(["person", "company"]), name: z.string() })),
  }),
  example: {
    input: { ids: [exampleId] },
    output: { names: [{ id: exampleId, type: "person", name: "Anna Smith" }] },
  },
});
