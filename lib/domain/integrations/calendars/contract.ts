import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { meetingOutcomes } from "./words.ts";

const shared = { tag: "Calendars", surface: "public", scope: "write" } as const;

const share = z
  .enum(shareLevels)
  .describe("What others see of these meetings: `nothing`, `metadata` (who and when), `subject` or `everything`.");
const addContacts = z.boolean().describe("Guests who are not known become contacts.");
const calendars = z.array(z.string().min(1).max(2_000)).max(200).describe("Addresses of those to read; none: all.");
const blocked = z
  .array(z.string().trim().toLowerCase().min(3).max(320))
  .max(1_000)
  .describe("Addresses and domains whose meetings are never stored.");

const Found = z.strictObject({ url: z.string(), name: z.string() });

export const Calendar = z
  .strictObject({
    id: Id,
    kind: z.enum(["caldav", "ics"]),
    server: z.string().describe("Of a private address only its host."),
    user: z.string().nullable(),
    share,
    add_contacts: addContacts,
    blocked: z.array(z.string()),
    calendars: z.array(
      Found.extend({
        outcomes: z
          .partialRecord(z.enum(meetingOutcomes), z.int())
          .describe("Meetings of the window, by what they are."),
      }),
    ),
    chosen: z.array(z.string()),
    state: z.enum(["reading", "current", "failing", "disconnected", "removing"]),
    message: z.string().nullable().describe("What is wrong, and what to do."),
    meetings: z.int().describe("Meetings with contacts."),
    synced_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "Calendar", description: "Calendars of yours that are read." });
export type Calendar = z.output<typeof Calendar>;

const login = {
  server: z.string().trim().min(1).max(2_000).optional().describe("A CalDAV server, or its domain."),
  user: z.string().trim().min(1).max(320).optional().describe("The user name there."),
  password: z.string().min(1).max(1_000).optional().describe("An app password, where the provider asks for one."),
  address: z.string().trim().min(1).max(2_000).optional().describe("Or the private address of a calendar (ICS)."),
};
const loginErrors = [
  "calendar_login_required",
  "invalid_credentials",
  "provider_unavailable",
  "member_required",
] as const;
const exampleLogin = { server: "https://caldav.example.com", user: "ada@example.com", password: "abcd efgh ijkl mnop" };

const calendar: z.input<typeof Calendar> = {
  id: "0190a6e0-0000-7000-8000-000000000091",
  kind: "caldav",
  server: exampleLogin.server,
  user: exampleLogin.user,
  share: "metadata",
  add_contacts: true,
  blocked: [],
  calendars: [{ url: "https://caldav.example.com/ada/work/", name: "Work", outcomes: { guests: 12, internal: 40 } }],
  chosen: [],
  state: "current",
  message: null,
  meetings: 12,
  synced_at: "2026-06-03T09:00:00.000Z",
  created_at: "2026-06-01T09:00:00.000Z",
};

export const testCalendar = defineOperation({
  ...shared,
  name: "testCalendar",
  summary: "Try a calendar server or address, and see its calendars",
  description: "Nothing is stored.",
  http: { method: "POST", path: "/v2/me/calendars/test" },
  input: z.strictObject(login),
  output: z.strictObject({ calendars: z.array(Found) }),
  errors: loginErrors,
  secrets: { input: ["password", "address"] },
  example: {
    input: exampleLogin,
    output: { calendars: [{ url: "https://caldav.example.com/ada/work/", name: "Work" }] },
  },
});

export const connectCalendar = defineOperation({
  ...shared,
  name: "connectCalendar",
  asksPerson: () => true,
  summary: "Connect your calendars",
  description:
    "Meetings with people outside the company are read, from 90 days ago to 60 days ahead. Nothing is changed at the server.",
  http: { method: "POST", path: "/v2/me/calendars", status: 201 },
  input: z.strictObject({
    ...login,
    share: share.default("metadata"),
    add_contacts: addContacts.default(true),
    calendars: calendars.default([]),
    blocked: blocked.default([]),
  }),
  output: z.strictObject({ calendar: Calendar }),
  errors: [...loginErrors, "calendar_connected"],
  secrets: { input: ["password", "address"] },
  example: { input: exampleLogin, output: { calendar } },
});

export const listCalendars = defineOperation({
  ...shared,
  scope: "read",
  name: "listCalendars",
  summary: "Your calendars",
  description: "Only your own: no one else sees them here.",
  http: { method: "GET", path: "/v2/me/calendars" },
  input: z.strictObject({}),
  output: z.strictObject({
    calendars: z.array(Calendar),
    ceiling: share.describe("The most that members may share."),
  }),
  errors: ["member_required"],
  example: { input: {}, output: { calendars: [calendar], ceiling: "everything" } },
});

const CalendarId = Id.describe("The calendar's id.");
const ofCalendar = ofOne({
  id: CalendarId,
  output: z.strictObject({ calendar: Calendar }),
  missing: "calendar_not_found",
  also: ["member_required"],
});
const example = { input: { id: calendar.id }, output: { calendar } };

export const updateCalendar = defineOperation({
  ...shared,
  name: "updateCalendar",
  asksPerson: () => true,
  summary: "Change what calendars share, which are read, or their password",
  description: "What is shared counts for the meetings that are there, too. Fields not given stay.",
  http: { method: "PATCH", path: "/v2/me/calendars/:id" },
  input: z.strictObject({
    id: CalendarId,
    share: share.optional(),
    add_contacts: addContacts.optional(),
    calendars: calendars.optional(),
    blocked: blocked.optional(),
    password: login.password,
    address: login.address,
  }),
  output: ofCalendar.output,
  errors: ["calendar_not_found", ...loginErrors],
  codes: { fields: { id: "calendar_not_found" } },
  secrets: { input: ["password", "address"] },
  example: { input: { ...example.input, share: "subject" }, output: example.output },
});

export const listServerCalendars = defineOperation({
  tag: shared.tag,
  surface: "app",
  ...ofOne({
    id: CalendarId,
    output: z.strictObject({ calendars: z.array(Found) }),
    missing: "calendar_not_found",
    also: ["invalid_credentials", "provider_unavailable", "member_required"],
  }),
  scope: "read",
  name: "listServerCalendars",
  summary: "The calendars that there are at a server, read or not",
  description: "The server is asked now.",
  http: { method: "GET", path: "/calendars/:id/at-server" },
  example: { input: example.input },
});

export const syncCalendar = defineOperation({
  ...shared,
  ...ofCalendar,
  name: "syncCalendar",
  summary: "Look for new meetings now",
  description: "They are looked for every 5 minutes anyway; at a private address every 15.",
  http: { method: "POST", path: "/v2/me/calendars/:id/sync" },
  example,
});

export const disconnectCalendar = defineOperation({
  ...shared,
  name: "disconnectCalendar",
  asksPerson: () => true,
  summary: "Disconnect calendars",
  description: "The password is deleted at once. The meetings stay as they are, or are removed with their activities.",
  http: { method: "POST", path: "/v2/me/calendars/:id/disconnect" },
  input: z.strictObject({
    id: CalendarId,
    meetings: z.enum(["keep", "remove"]).describe("Whether those that came through it stay."),
  }),
  output: ofCalendar.output,
  errors: ofCalendar.errors,
  codes: ofCalendar.codes,
  example: { input: { ...example.input, meetings: "keep" }, output: example.output },
});
