import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";
import { examplePerson } from "#lib/domain/crm/people/contract.ts";
import { Activity, exampleActivity } from "#lib/domain/knowledge/contacts/contract.ts";

export const FeedActivity = z.strictObject({
  ...Activity.shape,
  entity_type: z.enum(["person", "company", "workspace"]),
  detail: z.string().nullable().describe("What tells people of one name apart: the e-mail address or domain."),
});
export type FeedActivity = z.output<typeof FeedActivity>;

const exampleFeedActivity: FeedActivity = {
  ...exampleActivity,
  entity_id: examplePerson.id,
  entity_type: "person",
  detail: examplePerson.email,
};

export const listActivities = defineOperation({
  name: "listActivities",
  tag: "Activities",
  summary: "Page everything that was reported in the workspace",
  description:
    "Activities of all people and companies in the order they were learned, the latest first. `cursor` continues where a page ended and is stable while activities are captured.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/activities" },
  input: z.strictObject({
    type: z.string().min(1).max(200).optional().describe("Only this activity type, such as `meeting_held`."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    activities: z.array(FeedActivity),
    ...cursorPage,
  }),
  example: {
    input: { type: "meeting_held" },
    output: {
      activities: [exampleFeedActivity],
      limit: 50,
      has_more: false,
      next_cursor: null,
    },
  },
});

export const browseActivities = defineOperation({
  name: "browseActivities",
  tag: "Activities",
  summary: "Page what happened, the latest first",
  description:
    "In the order it happened, whenever it was reported. A page with few matches may be shorter than `limit`, or empty, while more of the past is to be searched: `has_more` says so, `reached` how far it went.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/feed" },
  input: z.strictObject({
    entity_id: Id.optional().describe("Only with this person or company; a company's people are included."),
    type: z.string().min(1).max(200).optional().describe("Only this activity type, such as `meeting_held`."),
    source: z.string().min(1).max(200).optional().describe("Only from this source, such as `fathom`."),
    from: Time.optional().describe("What happened at this time or later."),
    to: Time.optional().describe("What happened before this time."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    activities: z.array(FeedActivity),
    ...cursorPage,
    reached: Timestamp.nullable().describe("How far back it was searched; null when nothing is left."),
  }),
  errors: ["entity_not_found"],
  example: {
    input: { type: "meeting_held", source: "fathom", from: "2026-06-01T00:00:00.000Z" },
  },
});

/** Activities since a reader last looked. */
export const MissedActivities = z.strictObject({
  entity_ids: z.array(Id),
  all: z.boolean(),
  /** How far the reader now is. */
  place: z.tuple([z.int(), z.int()]),
});
export type MissedActivities = z.output<typeof MissedActivities>;
