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
  output: z.strictObject({
    loaded: z.boolean(),
    may_change: z.boolean().describe("The caller's role may load and remove it."),
    people: z.int(),
    companies: z.int(),
    notes: z.int(),
    lead_lists: z.int(),
    facts: z.int().describe("Entries of the GTM profile."),
    kept: z.int().describe("Sample people and companies that stay, since notes or activity were added to them."),
    own: z
      .strictObject({ people: z.int(), companies: z.int() })
      .describe("Records of the workspace itself, at most 10,000 of each are counted."),
  }),
  example: {
    input: {},
  },
});

export const loadSampleData = defineOperation({
  name: "loadSampleData",
  tag: "Sample data",
  summary: "Load sample data",
  description:
    "200 people at 40 companies with a year of activity, notes, upcoming meetings, a lead list and ICP scores, and the empty sections of the GTM profile, all of source `sample`. Loading it twice changes nothing.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/sample-data/load", status: 201 },
  input: z.strictObject({}),
  output: Counts,
  example: { input: {} },
});

export const removeSampleData = defineOperation({
  name: "removeSampleData",
  tag: "Sample data",
  summary: "Remove the sample data",
  description:
    "Erases every person and company whose source is `sample`, with all that was recorded about them, and the lead lists, profile entries and scoring model of that source. Records with notes or activity that others added stay.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/sample-data/remove" },
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.int() }),
  example: { input: {} },
});
