import { describe, expect, test } from "vitest";
import { expiryOf, inOrder, requireRotatable, statusOf, successorExpiry } from "./rules.ts";

const now = new Date("2026-06-03T09:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const life = { expiresAt: null as Date | null, revokedAt: null as Date | null, replacedBy: null as string | null };

describe("the status of a key", () => {
  test.each([
    ["active", {}],
    ["active", { expiresAt: inDays(15) }],
    ["expiring", { expiresAt: inDays(14) }],
    ["expiring", { expiresAt: inDays(30), replacedBy: "successor" }],
    ["expired", { expiresAt: now }],
    ["expired", { expiresAt: inDays(-1), replacedBy: "successor" }],
    ["revoked", { revokedAt: now }],
    ["revoked", { revokedAt: now, expiresAt: inDays(-1) }],
  ])("is %s with %j", (status, more) => {
    expect(statusOf({ ...life, ...more }, now)).toBe(status);
  });
});

describe("the expiry of a key", () => {
  test.each([
    ["never, when nothing is asked", {}, null],
    ["days from now", { expires_in_days: 90 }, inDays(90)],
    ["the moment asked for", { expires_at: inDays(1) }, inDays(1)],
  ])("is %s", (_, asked, expected) => {
    expect(expiryOf(asked, now)).toEqual(expected);
  });

  test.each([
    ["must be in the future", { expires_at: now }],
    ["not both", { expires_at: inDays(1), expires_in_days: 1 }],
  ])("is refused: %s", (why, asked) => {
    expect(() => expiryOf(asked, now)).toThrow(why);
  });

  test("of a successor is as far away as its predecessor's was", () => {
    expect(successorExpiry({ createdAt: inDays(-80), expiresAt: inDays(10) }, now)).toEqual(inDays(90));
    expect(successorExpiry({ createdAt: inDays(-80), expiresAt: null }, now)).toBeNull();
  });
});

test("scopes are kept once each, least first", () => {
  expect(inOrder(["admin", "read", "admin"])).toEqual(["read", "admin"]);
});

describe("rotation", () => {
  test("takes a key that works", () => {
    expect(() => requireRotatable({ ...life, expiresAt: inDays(1) }, now)).not.toThrow();
  });

  test.each([
    ["already revoked", { revokedAt: now }],
    ["has expired", { expiresAt: inDays(-1) }],
    ["was rotated already", { expiresAt: inDays(1), replacedBy: "successor" }],
  ])("refuses a key that %s", (why, more) => {
    expect(() => requireRotatable({ ...life, ...more }, now)).toThrow(
      expect.objectContaining({ code: "api_key_revoked", message: expect.stringContaining(why) }),
    );
  });
});
