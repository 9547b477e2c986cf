import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CrmContact } from "#lib/providers/crm.ts";
import { hubspotCrm } from "#lib/providers/hubspot/crm.ts";
import type { CrmRules } from "../contract.ts";
import {
  adopted,
  changesOf,
  configured,
  hashesOf,
  isCheckDue,
  matchOf,
  type Person,
  standardRules,
  valuesOf,
  whyNotCreate,
} from "./contacts.ts";

const grace: Person = {
  email: "grace@prospect.example",
  firstName: "Grace",
  lastName: "Prospect",
  jobTitle: null,
  company: " ",
  companyDomain: "prospect.example",
  phone: null,
  linkedinUrl: null,
  stage: "interested",
  icpScore: 70,
  lastActivityAt: new Date("2026-06-01"),
};
const contact = (values: CrmContact["values"], emails = ["grace@prospect.example"]): CrmContact => ({
  recordId: "512",
  url: null,
  emails,
  values,
});

test("only what is known, and what the CRM has a place for, is pushed", () => {
  expect(valuesOf(grace, hubspotCrm.fields)).toEqual({
    email: "grace@prospect.example",
    first_name: "Grace",
    last_name: "Prospect",
    stage: "interested",
  });
});

describe("who the rules create", () => {
  const all: CrmRules = { ...standardRules, createInCrm: true, createTrigger: "any" };
  test.each<[string, Partial<CrmRules>, Partial<Person>, boolean]>([
    ["nobody, as standard", standardRules, {}, false],
    ["everybody", {}, { lastActivityAt: null }, true],
    ["somebody engaged", { createTrigger: "engaged" }, {}, true],
    ["somebody nothing happened with", { createTrigger: "engaged" }, { lastActivityAt: null }, false],
    ["somebody at the stage", { createTrigger: "interested" }, {}, true],
    ["somebody beyond the stage", { createTrigger: "interested" }, { stage: "client" }, true],
    ["somebody before the stage", { createTrigger: "evaluating" }, {}, false],
    ["somebody at the threshold", { createRequireIcpFit: true, createIcpThreshold: 70 }, {}, true],
    ["somebody below it", { createRequireIcpFit: true, createIcpThreshold: 71 }, {}, false],
    ["somebody without a score", { createRequireIcpFit: true, createIcpThreshold: 0 }, { icpScore: null }, false],
    ["a low score where none is asked for", { createIcpThreshold: 100 }, { icpScore: 0 }, true],
  ])("%s", (_what, rules, person, isCreated) => {
    const why = whyNotCreate({ ...grace, ...person }, { ...all, ...rules });
    expect(why === null).toBe(isCreated);
  });
});

describe("what differs", () => {
  const values = { email: "a@x.example", first_name: "A", last_name: "B", job_title: "CEO" };
  const pushed = hashesOf(values);
  const groups = [["first_name", "last_name"]] as const;
  test.each<[string, Parameters<typeof changesOf>, object]>([
    ["nothing", [values, pushed, ["a@x.example"], []], {}],
    ["everything at first", [values, {}, [], []], values],
    ["one field", [{ ...values, job_title: "CTO" }, pushed, [], []], { job_title: "CTO" }],
    ["a part of a name", [{ ...values, last_name: "C" }, pushed, [], []], { last_name: "C" }],
    [
      "a name that goes as a whole",
      [{ ...values, last_name: "C" }, pushed, [], groups],
      { first_name: "A", last_name: "C" },
    ],
    [
      "another of the person's addresses first",
      [{ ...values, email: "b@x.example" }, pushed, ["b@x.example", "a@x.example"], []],
      {},
    ],
    [
      "an address that replaced the old one",
      [{ ...values, email: "b@x.example" }, pushed, ["b@x.example"], []],
      { email: "b@x.example" },
    ],
    ["what is no longer known", [{ email: "a@x.example" }, pushed, [], []], {}],
  ])("%s", (_what, given, changes) => {
    expect(changesOf(...given)).toEqual(changes);
  });

  test("what was pushed is never pushed again, whatever it is", () => {
    fc.assert(
      fc.property(fc.record({ first_name: fc.string(), job_title: fc.string() }), (any) => {
        expect(changesOf(any, hashesOf(any), [], groups)).toEqual({});
      }),
    );
  });
});

test("a contact that was there keeps what people wrote; the stage is ours", () => {
  const values = { email: "grace@prospect.example", first_name: "Grace", last_name: "P", stage: "client" };
  const there = contact({ email: "grace@prospect.example", first_name: "Gracie", stage: "aware" });
  expect(changesOf(values, adopted(values, there, []), [values.email], [])).toEqual({
    last_name: "P",
    stage: "client",
  });
  const whole = [["first_name", "last_name"]] as const;
  expect(changesOf(values, adopted(values, there, whole), [values.email], whole)).toEqual({ stage: "client" });
  const same = contact({ ...there.values, stage: "client" });
  expect(changesOf(values, adopted(values, same, whole), [values.email], whole)).toEqual({});
});

test("of several contacts, that of the first address is the person's", () => {
  const [one, two] = [contact({}, ["b@x.example"]), contact({}, ["a@x.example", "c@x.example"])];
  expect(matchOf(["a@x.example", "b@x.example"], [one, two])).toBe(two);
  expect(matchOf(["d@x.example"], [one, two])).toBeNull();
});

test("fields that are left out stay", () => {
  const before = configured(standardRules, { createInCrm: true, createIcpThreshold: 0 });
  expect(configured(before, { autoSync: false })).toEqual({
    ...standardRules,
    createInCrm: true,
    createIcpThreshold: 0,
    autoSync: false,
  });
});

test.each([
  [false, "weekly", null, false],
  [true, "weekly", null, true],
  [true, "daily", 23, true],
  [true, "daily", 22, false],
  [true, "weekly", 24 * 7, true],
  [true, "weekly", 24 * 6, false],
  [true, "monthly", 24 * 30, true],
  [true, "monthly", 24 * 8, false],
] as const)("a check that is %s, %s, after %j hours is due: %s", (hygieneEnabled, hygieneCadence, hours, isDue) => {
  const now = new Date("2026-06-30T12:00:00Z");
  const last = hours === null ? null : new Date(now.getTime() - hours * 3_600_000);
  expect(isCheckDue({ ...standardRules, hygieneEnabled, hygieneCadence }, last, now)).toBe(isDue);
});
