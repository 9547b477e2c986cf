import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { guestAnswers } from "./words.ts";

const shared = { tag: "Calendars", surface: "public", scope: "read" } as const;

const Person = z.strictObject({ address: z.string(), name: z.string().nullable() });

export const Meeting = z
  .strictObject({
    id: Id,
    starts_at: Timestamp,
    ends_at: Timestamp,
    all_day: z.boolean().describe("It is on whole days, of which `starts_at` is midnight UTC."),
    repeats: z.boolean(),
    cancelled: z.boolean(),
    organizer: Person.nullable(),
    guests: z.array(Person.extend({ answer: z.enum(guestAnswers) })),
    title: z.string().nullable().describe("null where you see only who and when."),
    description: z.string().nullable(),
    location: z.string().nullable(),
    contacts: z.array(z.strictObject({ entity_id: Id, name: z.string() })),
    visible: z.enum(shareLevels).describe("How much of it you see."),
    shared: z.enum(shareLevels).describe("How much of it the workspace sees."),
    mine: z.boolean().describe("It is in a calendar of yours."),
  })
  .meta({ id: "Meeting", description: "A meeting, as far as the caller may see it." });
export type Meeting = z.output<typeof Meeting>;

const meeting: z.input<typeof Meeting> = {
  id: "0190a6e0-0000-7000-8000-000000000092",
  starts_at: "2026-06-10T09:00:00.000Z",
  ends_at: "2026-06-10T09:30:00.000Z",
  all_day: false,
  repeats: false,
  cancelled: false,
  organizer: { address: "ada@example.com", name: "Ada" },
  guests: [{ address: "anna@acme.com", name: "Anna Smith", answer: "accepted" }],
  title: "Pilot",
  description: null,
  location: null,
  contacts: [{ entity_id: "0190a6e0-0000-7000-8000-000000000010", name: "Anna Smith" }],
  visible: "everything",
  shared: "metadata",
  mine: true,
};

export const listMeetings = defineOperation({
  ...shared,
  name: "listMeetings",
  summary: "List the meetings with a person or company",
  description:
    "Those to come first, the soonest at the top; then those that are over, the latest first. A member sees their own and what is shared; an API key what is shared.",
  http: { method: "GET", path: "/v2/meetings" },
  input: z.strictObject({
    focus: z
      .string()
      .trim()
      .min(1)
      .max(2_048)
      .describe("A person or company: id, e-mail, LinkedIn URL, domain or name."),
    ...cursorPaging(20, 50),
  }),
  output: z.union([z.strictObject({ entity_id: Id, meetings: z.array(Meeting), ...cursorPage }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: "0190a6e0-0000-7000-8000-000000000010",
      meetings: [meeting],
      limit: 20,
      has_more: false,
      next_cursor: null,
    },
  },
});

const MeetingId = Id.describe("The meeting's id.");

export const getMeeting = defineOperation({
  ...shared,
  ...ofOne({ id: MeetingId, output: z.strictObject({ meeting: Meeting }), missing: "meeting_not_found" }),
  name: "getMeeting",
  summary: "Read a meeting",
  description: "What you may not see of it is null.",
  http: { method: "GET", path: "/v2/meetings/:id" },
  example: { input: { id: meeting.id }, output: { meeting } },
});

export const shareMeeting = defineOperation({
  name: "shareMeeting",
  tag: "Calendars",
  summary: "Choose how much of a meeting the others see",
  description: "Of your own copy of it. null: as the calendar says.",
  surface: "app",
  scope: "write",
  http: { method: "PATCH", path: "/meetings/:id" },
  input: z.strictObject({ id: MeetingId, share: z.enum(shareLevels).nullable() }),
  output: z.strictObject({ meeting: Meeting }),
  errors: ["meeting_not_found", "member_required"],
  codes: { fields: { id: "meeting_not_found" } },
  example: { input: { id: meeting.id, share: "everything" } },
});
