import { expect, test } from "vitest";
import { sidesOf } from "#lib/domain/integrations/mailboxes/service.ts";
import { type Meeting, meetingsIn } from "#lib/text/calendar/meetings.ts";
import { judge } from "./judge.ts";

const window = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2027-02-01T00:00:00Z") };
const meeting = (...lines: string[]): Meeting => {
  const event = ["BEGIN:VEVENT", "UID:u@acme", "DTSTART:20261203T100000Z", "DTEND:20261203T110000Z", ...lines];
  const ics = ["BEGIN:VCALENDAR", "VERSION:2.0", ...event, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
  const [first] = meetingsIn(ics, window).meetings;
  if (!first) throw new Error("no meeting");
  return first;
};

const us = "ORGANIZER;CN=Ada:mailto:ada@rapport.example";
const them = "ORGANIZER;CN=Anna Smith:mailto:anna@acme.example";
const guest = (name: string, answer = "ACCEPTED") =>
  `ATTENDEE;CN=${name};PARTSTAT=${answer}:mailto:${name}@acme.example`;
const ada = (answer: string) => `ATTENDEE;PARTSTAT=${answer}:mailto:ada@rapport.example`;
const many = Array.from({ length: 21 }, (_, place) => guest(`guest${place}`));

const reader = {
  sides: sidesOf(["ada@rapport.example", "ben@rapport.example"], ["secret.example", "rival@acme.example"]),
  mine: new Set(["ada@rapport.example"]),
  erased: new Set(["gone@acme.example"]),
  addsContacts: true,
};

test.each<[string, string[], string]>([
  ["with a guest", [us, guest("anna")], "guests"],
  ["by somebody outside, who is no guest", [them, ada("ACCEPTED")], "guests"],
  ["with colleagues", [us, "ATTENDEE:mailto:ben@rapport.example"], "internal"],
  ["with a colleague of the same domain", [us, "ATTENDEE:mailto:new@sales.rapport.example"], "internal"],
  ["with nobody", [], "internal"],
  [
    "with a room and a group",
    [us, "ATTENDEE;CUTYPE=ROOM:mailto:room@venue.example", "ATTENDEE;CUTYPE=GROUP:mailto:all@acme.example"],
    "internal",
  ],
  ["that is private", [us, guest("anna"), "CLASS:PRIVATE"], "private"],
  ["that is confidential", [us, guest("anna"), "CLASS:CONFIDENTIAL"], "private"],
  ["with a blocked guest", [us, guest("anna"), "ATTENDEE:mailto:doctor@secret.example"], "blocked"],
  ["with somebody who was erased", [us, guest("gone")], "internal"],
  ["with a blocked address", [us, guest("anna"), guest("rival")], "blocked"],
])("a meeting %s", (_, lines, outcome) => expect(judge(meeting(...lines), reader).outcome).toBe(outcome));

test.each<[string, string[], object]>([
  ["of ours", [us, guest("anna")], { addsContacts: true, organizes: true, answered: true, declined: false }],
  [
    "of a colleague",
    ["ORGANIZER:mailto:ben@rapport.example", guest("anna"), ada("NEEDS-ACTION")],
    { addsContacts: true, organizes: false },
  ],
  ["that we accepted", [them, ada("ACCEPTED")], { addsContacts: true, answered: true, organizes: false }],
  ["that we have not answered", [them, ada("NEEDS-ACTION")], { addsContacts: false, answered: false }],
  ["that we declined", [them, ada("DECLINED")], { addsContacts: false, declined: true }],
  ["with 21 guests", [us, ...many], { addsContacts: false, answered: true }],
  ["that is called off", [us, guest("anna"), "STATUS:CANCELLED"], { cancelled: true }],
])("a meeting %s", (_, lines, expected) => expect(judge(meeting(...lines), reader).copy).toMatchObject(expected));

test("says who is outside, by what name, and another digest for what is told otherwise", () => {
  const { copy } = judge(meeting(us, guest("anna", "TENTATIVE"), ada("ACCEPTED"), "SUMMARY:Pilot"), reader);
  expect(copy?.guests).toEqual([
    { address: "anna@acme.example", answer: "tentative", outside: true },
    { address: "ada@rapport.example", answer: "accepted", outside: false },
  ]);
  expect(copy?.content).toMatchObject({ title: "Pilot", names: { "anna@acme.example": "anna" } });
  const again = (...lines: string[]) =>
    judge(meeting(us, guest("anna", "TENTATIVE"), ada("ACCEPTED"), ...lines), reader);
  expect(again("SUMMARY:Pilot").copy?.digest).toBe(copy?.digest);
  expect(again("SUMMARY:Other").copy?.digest).not.toBe(copy?.digest);
});

test("who was erased is not named, nor what the meeting is about", () => {
  const { copy } = judge(meeting(us, guest("anna"), guest("gone"), "SUMMARY:Pilot with Gone"), reader);
  expect(copy?.guests.map(({ address }) => address)).toEqual(["anna@acme.example", "ada@rapport.example"]);
  expect(JSON.stringify(copy).toLowerCase()).not.toContain("gone");
});
