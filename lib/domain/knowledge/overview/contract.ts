import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";

export const getOverview = defineOperation({
  name: "getOverview",
  tag: "Overview",
  summary: "How many people are at each stage",
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
  },
});

const counted = (what: string) =>
  z
    .strictObject({ now: z.int().describe("In the last 7 days."), before: z.int().describe("In the 7 days before.") })
    .describe(what);

export const getWeek = defineOperation({
  name: "getWeek",
  tag: "Overview",
  summary: "What the last 7 days brought, beside the 7 before",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/week" },
  input: z.strictObject({}),
  output: z.strictObject({
    new_people: counted("People who were added and are not archived."),
    replies: counted("E-mails received."),
    meetings_held: counted("Meetings that took place."),
    moved_forward: counted("People who reached a higher stage than the one they had."),
  }),
  example: {
    input: {},
  },
});

/** What activities are counted as, in the order of the chart. */
export const ActivityKind = z.enum(["email", "message", "call", "meeting", "visit", "note", "other"]);
export type ActivityKind = z.output<typeof ActivityKind>;

/** Days the chart shows, today included. */
export const CHART_DAYS = 30;

export const getActivity = defineOperation({
  name: "getActivity",
  tag: "Overview",
  summary: "What happened on each of the last 30 days, by kind of activity",
  description: "A day is one of the given time zone. What is still to come does not count.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/activity" },
  input: z.strictObject({
    zone: z
      .string()
      .max(64)
      .default("UTC")
      .refine(isZone, { error: "must be a time zone such as Europe/Berlin" })
      .describe("IANA name of the reader's time zone; default UTC."),
  }),
  output: z.strictObject({
    days: z
      .array(z.strictObject({ day: z.iso.date(), counts: z.record(ActivityKind, z.int()) }))
      .describe("The last 30 days, the oldest first, today last; also those on which nothing happened."),
    total: z.int(),
  }),
  example: {
    input: { zone: "Europe/Berlin" },
  },
});

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Weeks that a trend shows, this one included. */
export const TREND_WEEKS = 12;

/** How many trends may be asked for at once: those of a page of a list. */
export const MOST_TRENDS = 100;

export const getTrends = defineOperation({
  name: "getTrends",
  tag: "Overview",
  summary: "How much happened with people and companies in each of the last 12 weeks",
  description:
    "A company's people are included, the 200 who were active last; of one record up to 500 activities are counted. What is still to come does not count. An id that names neither a person nor a company is left out.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/trends" },
  input: z.strictObject({ ids: z.array(Id).min(1).max(MOST_TRENDS) }),
  output: z.strictObject({
    trends: z.array(
      z.strictObject({
        id: Id,
        weeks: z.array(z.int()).length(TREND_WEEKS).describe("Activities of each 7 days, the last 7 last."),
      }),
    ),
  }),
  example: {
    input: { ids: ["0190a6e0-0000-7000-8000-000000000001"] },
  },
});

export const getCompanyStages = defineOperation({
  name: "getCompanyStages",
  tag: "Overview",
  summary: "How many people of a company are at each stage",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/companies/:id/stages" },
  input: z.strictObject({ id: Id }),
  output: getOverview.output,
  errors: ["entity_not_found"],
  codes: { fields: { id: "entity_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000001" } },
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
  },
});
