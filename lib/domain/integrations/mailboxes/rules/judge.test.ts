import { expect, test } from "vitest";
import { type Judged, judge, type Sides, sidesOf } from "./judge.ts";

const sides: Sides = sidesOf(
  ["ada@rapport.example", "ada.private@gmail.com"],
  ["bank.example", "doctor@clinic.example"],
);
const at = (address: string, name: string | null = null) => ({ address, name });
const mail = (more: Partial<Judged>): Judged => ({
  kind: "person",
  from: null,
  to: [],
  cc: [],
  bcc: [],
  bounced: [],
  ...more,
});

const parties = (judged: Judged) => {
  const judgement = judge(judged, sides);
  return judgement.outcome === "kept"
    ? judgement.parties.map(({ address, type }) => `${type} ${address}${judgement.quiet ? " quiet" : ""}`)
    : judgement.outcome;
};

const us = at("ada@rapport.example");
const anna = at("Anna@Acme.example", "Anna Smith");

test.for<[string, Partial<Judged>, string | string[]]>([
  ["from outside", { from: anna, to: [us] }, ["email_received anna@acme.example"]],
  [
    "to outside",
    { from: us, to: [anna], cc: [at("ben@acme.example")] },
    ["email_sent anna@acme.example", "email_sent ben@acme.example"],
  ],
  ["each recipient once", { from: us, to: [anna], cc: [at("anna@acme.example")] }, ["email_sent anna@acme.example"]],
  [
    "of a colleague to outside",
    { from: at("bob@rapport.example"), to: [anna], cc: [us] },
    ["email_sent anna@acme.example"],
  ],
  ["of a colleague at a part of our domain", { from: at("bob@mail.rapport.example"), to: [us] }, "internal"],
  [
    "from our own address at a mail provider",
    { from: at("ada.private@gmail.com"), to: [anna] },
    ["email_sent anna@acme.example"],
  ],
  ["from somebody else at that provider", { from: at("eve@gmail.com"), to: [us] }, ["email_received eve@gmail.com"]],
  ["among colleagues", { from: us, to: [at("bob@rapport.example")] }, "internal"],
  ["to oneself", { from: us, to: [us] }, "internal"],
  ["from nobody", { to: [us] }, "internal"],
  ["an automatic reply", { kind: "auto_reply", from: anna, to: [us] }, ["email_received anna@acme.example quiet"]],
  [
    "to a group",
    { kind: "group", from: anna, to: [at("list@acme.example")] },
    ["email_received anna@acme.example quiet"],
  ],
  ["an invitation", { kind: "calendar", from: anna, to: [us] }, ["email_received anna@acme.example"]],
  [
    "a bounce",
    {
      kind: "bounce",
      from: at("mailer-daemon@mx.example"),
      to: [us],
      bounced: [{ address: "Anna@acme.example", status: "5.1.1", permanent: true }],
    },
    ["email_bounced anna@acme.example"],
  ],
  [
    "a bounce that is tried again",
    {
      kind: "bounce",
      from: at("mailer-daemon@mx.example"),
      to: [us],
      bounced: [{ address: "anna@acme.example", status: "4.2.2", permanent: false }],
    },
    "internal",
  ],
  ["from a blocked domain", { from: at("info@mail.bank.example"), to: [us] }, "blocked"],
  ["to a blocked address among others", { from: us, to: [anna], bcc: [at("Doctor@clinic.example")] }, "blocked"],
  [
    "from somebody else at the domain of a blocked address",
    { from: at("nurse@clinic.example"), to: [us] },
    ["email_received nurse@clinic.example"],
  ],
])("%s", ([, given, expected]) => {
  expect(parties(mail(given))).toEqual(expected);
});
