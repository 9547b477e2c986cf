import { describe, expect, test } from "vitest";
import { hostIn, keyNameOf, pace, statusOf, stillAllowed } from "./rules.ts";

const now = new Date("2026-06-03T09:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const life = { expiresAt: later(600), approvedAt: null, deniedAt: null, consumedAt: null };

describe("the status of a login", () => {
  test.each([
    ["pending", {}],
    ["approved", { approvedAt: now }],
    ["denied", { deniedAt: now }],
    ["consumed", { approvedAt: now, consumedAt: now }],
    ["expired", { expiresAt: now }],
    ["expired", { expiresAt: now, approvedAt: now }],
    ["denied", { expiresAt: now, deniedAt: now }],
    ["consumed", { expiresAt: now, approvedAt: now, consumedAt: now }],
  ])("is %s with %j", (status, more) => {
    expect(statusOf({ ...life, ...more }, now)).toBe(status);
  });
});

describe("the pace of polls", () => {
  test.each([
    ["a first poll may come at once", null, 5, { interval: 5, wait: 0 }],
    ["one after the interval keeps it", later(-5), 5, { interval: 5, wait: 0 }],
    ["one that the network delivers a little early keeps it", later(-4.2), 5, { interval: 5, wait: 0 }],
    ["one too early makes it longer by five seconds", later(-1), 5, { interval: 10, wait: 10 }],
    ["it is never longer than a minute", later(-1), 60, { interval: 60, wait: 60 }],
  ])("%s", (_, lastPolledAt, interval, expected) => {
    expect(pace({ interval, lastPolledAt }, now)).toEqual(expected);
  });
});

test.each([
  [undefined, null],
  ["  ", null],
  ["ada-laptop", "ada-laptop"],
  ["  ada's\n\tMac \u202Ebook\u0007 ", "ada's Mac book"],
  ["x".repeat(200), "x".repeat(60)],
])("the machine's name %j is shown as %j", (given, shown) => {
  expect(hostIn(given)).toBe(shown);
});

test("a key is named after its machine", () => {
  expect([keyNameOf("ada-laptop"), keyNameOf(null)]).toEqual(["rapport login on ada-laptop", "rapport login"]);
});

test("scopes that a member lost since the approval are left out", () => {
  expect(stillAllowed(["read", "write", "admin"], ["read", "write"])).toEqual(["read", "write"]);
});
