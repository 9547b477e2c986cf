import { describe, expect, test } from "vitest";
import minimal from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import full from "#lib/testing/samples/fathom/webhook.new_meeting_content_ready.full.json" with { type: "json" };
import { readRecording } from "./recordings.ts";

const receivedAt = new Date("2026-06-01T12:00:00Z");
const read = (more: Record<string, unknown>) => readRecording({ ...minimal, ...more }, receivedAt);

test("the interface document's payload", () => {
  expect(readRecording(minimal, receivedAt)).toEqual({
    id: "rec_abc123",
    title: "Discovery call - Acme Corp",
    startedAt: new Date("2026-05-14T14:00:00Z"),
    shareUrl: "https://fathom.video/call/abc123",
    summary: "Key points: pricing discussion, Q3 timeline...",
    invitees: ["jane@acme.example", "you@company.example"],
  });
});

test("the provider's own payload, whose id is a number", () => {
  expect(readRecording(full, receivedAt)).toMatchObject({
    id: "123456789",
    title: "Quarterly Business Review",
    startedAt: new Date("2025-03-01T16:01:12Z"),
    invitees: ["jane.doe@acme.example", "john.smith@client.example"],
  });
});

describe("a payload with", () => {
  test.each<[string, Record<string, unknown>, object | null]>([
    ["both ids", { id: "a", recording_id: 7 }, { id: "a" }],
    ["a null id beside the other", { id: null, recording_id: 7 }, { id: "7" }],
    ["the number 0 as its id", { id: 0 }, { id: "0" }],
    ["no id", { id: undefined }, null],
    ["a blank id", { id: " " }, null],
    ["an id that is none", { id: { a: 1 } }, null],
    ["an endless id", { id: "x".repeat(201) }, null],
    ["no title", { title: null }, { title: "Untitled" }],
    ["only the meeting's title", { title: "", meeting_title: "QBR" }, { title: "QBR" }],
    ["a title that cannot be kept", { title: "a\u0000\ud83d" }, { title: "a\ufffd" }],
    ["an endless title", { title: "x".repeat(500) }, { title: "x".repeat(200) }],
    [
      "no start",
      { recording_start_time: null, scheduled_start_time: "2026-05-14T13:00:00Z" },
      { startedAt: new Date("2026-05-14T13:00:00Z") },
    ],
    [
      "an impossible start",
      { recording_start_time: "soon", created_at: "2026-05-14T15:00:00Z" },
      { startedAt: new Date("2026-05-14T15:00:00Z") },
    ],
    [
      "a start without offset",
      { recording_start_time: "2026-05-14T14:00:00" },
      { startedAt: new Date("2026-05-14T14:00:00Z") },
    ],
    ["no time at all", { recording_start_time: 1747231200 }, { startedAt: receivedAt }],
    ["a null summary", { default_summary: null }, { summary: null }],
    ["a summary of nothing", { default_summary: { markdown_formatted: " \n" } }, { summary: null }],
    ["a summary that is no text", { default_summary: { markdown_formatted: 7 } }, { summary: null }],
    [
      "a summary beyond a note's length",
      { default_summary: { markdown_formatted: "y".repeat(2_000_001) } },
      { summary: "y".repeat(2_000_000) },
    ],
    ["no link", { share_url: undefined }, { shareUrl: null }],
    ["no invitees", { calendar_invitees: undefined }, { invitees: [] }],
    ["null invitees", { calendar_invitees: null }, { invitees: [] }],
    ["invitees that are no list", { calendar_invitees: "jane@acme.example" }, { invitees: [] }],
    [
      "null and odd addresses",
      {
        calendar_invitees: [
          null,
          1,
          {},
          { email: null },
          { email: "no" },
          { email: " B@x.example" },
          { email: "b@X.example " },
          { email: "a@x.example" },
        ],
      },
      { invitees: ["a@x.example", "b@x.example"] },
    ],
  ])("%s", (_what, more, expected) => {
    if (expected === null) expect(read(more)).toBeNull();
    else expect(read(more)).toMatchObject(expected);
  });
});
