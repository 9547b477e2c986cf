import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

export const checkIds = [
  "triggers",
  "integrations",
  "keys",
  "tokens",
  "clients",
  "mailboxes",
  "jobs",
  "silent_sources",
  "unmatched_activities",
  "duplicates",
  "unreachable_people",
  "aged_facts",
  "single_source_facts",
  "profile_sections",
] as const;

export const CheckState = z
  .enum(["fine", "warning", "failing"])
  .describe("`warning`: someone should look at it. `failing`: something has stopped.");
export type CheckState = z.output<typeof CheckState>;

const CheckItem = z.strictObject({
  text: z.string(),
  entity_id: Id.nullable(),
});

export const Check = z
  .strictObject({
    id: z.enum(checkIds),
    about: z.enum(["operation", "data"]),
    state: CheckState,
    count: z.int().describe("How many."),
    capped: z.boolean().describe("True when there may be more."),
    counted_at: Timestamp.nullable().describe("Earlier than `as_of` where everyone is read for it; null: not yet."),
    says: z.string(),
    advice: z.string().nullable().describe("What changes when it is dealt with, and how."),
    request: z.string().nullable().describe("What lists them; null: the items are all there is."),
    page: z.string().nullable().describe("The page with them, below the workspace's address."),
    items: z.array(CheckItem).describe("The first of them, at most 10."),
  })
  .meta({ id: "Check", description: "One thing that was looked at in a workspace." });
export type Check = z.output<typeof Check>;

export const getChecks = defineOperation({
  name: "getChecks",
  tag: "Workspace",
  summary: "What has stopped, and how good the data is",
  description:
    "Triggers, integrations, keys, tokens, clients, mailboxes and jobs that need someone; silent sources, activities without a contact, likely duplicates, people who cannot be reached, old facts and facts of one source, sections of the GTM profile to revisit. Each with a count and where the list is.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/checks" },
  input: z.strictObject({}),
  output: z.strictObject({
    state: CheckState.describe("That of the worst check."),
    checks: z.array(Check),
    as_of: Timestamp,
  }),
  example: {
    input: {},
    output: {
      state: "warning",
      checks: [
        {
          id: "duplicates",
          about: "data",
          state: "warning",
          count: 1,
          capped: false,
          counted_at: "2026-06-03T08:17:00.000Z",
          says: "1 likely duplicate waits.",
          advice: "Merging shows the whole history in one place. Open one of the two and compare.",
          request: "GET /v2/accounts/duplicates",
          page: null,
          items: [{ text: "Anna Smith: same name and company", entity_id: "0190a6e0-0000-7000-8000-000000000010" }],
        },
      ],
      as_of: "2026-06-03T09:00:00.000Z",
    },
  },
});
export type Checks = z.output<typeof getChecks.output>;
