import { expect, test } from "vitest";
import type { Json } from "#lib/providers/fields.ts";
import booked from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import recorded from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { inboundOf } from "./providers.ts";
import { withoutPeople } from "./without-people.ts";

const at = new Date("2026-01-01T00:00:00Z");

test("a booking keeps the others and says what it said about them", () => {
  const rest = withoutPeople("cal_com", booked as Json, ["guest@example.com"]);
  const [before, after] = [booked as Json, rest as Json].map((body) => inboundOf("cal_com").read(body, at));
  if (!before || !after || !("booking" in before) || !("booking" in after)) throw new Error("no bookings");
  expect(after).toEqual({
    ...before,
    booking: { ...before.booking, attendees: [{ email: "additional-guest@example.com", name: "Additional Guest" }] },
  });
  expect(JSON.stringify(rest)).not.toMatch(/"guest@example|Guest User/);
});

test("the title does not name who was taken out", () => {
  const named = { ...booked, payload: { ...booked.payload, title: "Guest User (guest@example.com) and Ada" } };
  const rest = withoutPeople("cal_com", named as Json, ["guest@example.com"]);
  expect(rest).toMatchObject({ payload: { title: "[erased] ([erased]) and Ada" } });
});

test("a recording keeps its other invitees", () => {
  const invitees = [{ email: "jane@acme.com", name: "Jane" }, { email: "Ben@acme.com" }];
  const body = { ...recorded, calendar_invitees: invitees } as Json;
  const news = inboundOf("fathom").read(withoutPeople("fathom", body, ["jane@acme.com"]) as Json, at);
  expect(news).toMatchObject({ recording: { invitees: ["ben@acme.com"] } });
});

test("of a delivery about no one else nothing is kept", () => {
  const everybody = booked.payload.attendees.map(({ email }) => email);
  expect(withoutPeople("cal_com", booked as Json, everybody)).toBeNull();
  expect(withoutPeople("cal_com", {}, ["x@acme.com"])).toBeNull();
});
