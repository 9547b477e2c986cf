import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";

const Counts = z.strictObject({ people: z.int(), companies: z.int(), notes: z.int(), observations: z.int() });

export const getSampleData = defineOperation({
  name: "getSampleData",
  tag: "Sample data",
  summary: "Is sample data loaded",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/sample-data" },
  input: z.strictObject({}),
  output: z.strictObject({ loaded: z.boolean(), people: z.int(), companies: z.int() }),
  example: { input: {}, output: { loaded: false, people: 0, companies: 0 } },
});

export const loadSampleData = defineOperation({
  name: "loadSampleData",
  tag: "Sample data",
  summary: "Load sample data",
  description:
    "200 people at 40 companies with a year of activity, notes and a lead list, all of source `sample`. Loading it twice changes nothing.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/sample-data/load", status: 201 },
  input: z.strictObject({}),
  output: Counts,
  example: { input: {}, output: { people: 200, companies: 40, notes: 60, observations: 2400 } },
});

export const removeSampleData = defineOperation({
  name: "removeSampleData",
  tag: "Sample data",
  summary: "Remove the sample data",
  description:
    "Erases every person and company whose source is `sample`, with all that was recorded about them, and the lead lists of that source.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/sample-data/remove" },
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.int() }),
  example: { input: {}, output: { removed: 240 } },
});
