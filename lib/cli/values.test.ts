import { describe, expect, test, vi } from "vitest";
import { expiry, id, scopeList } from "./values.ts";

describe("arguments", () => {
  test("an id is a UUID in lower case", () => {
    expect(id("0190A6E0-0000-7000-8000-000000000001")).toBe("0190a6e0-0000-7000-8000-000000000001");
    expect(() => id("rpt_1")).toThrow("not an id");
  });

  test.each([
    ["read", ["read"]],
    ["write, read", ["read", "write"]],
    ["admin,admin", ["admin"]],
  ])("scopes %j are %j", (text, scopes) => {
    expect(scopeList(text)).toEqual(scopes);
  });

  test.each(["", "read,", "root", "READ"])("scopes %j are refused", (text) => {
    expect(() => scopeList(text)).toThrow("Allowed, comma separated: read, write, admin.");
  });

  test.each([
    ["1h", "2026-06-03T10:00:00.000Z"],
    ["30d", "2026-07-03T09:00:00.000Z"],
    ["2w", "2026-06-17T09:00:00.000Z"],
    ["2026-06-04", "2026-06-04T00:00:00.000Z"],
    ["2026-06-03T12:00:00+02:00", "2026-06-03T10:00:00.000Z"],
  ])("%s means %s", (text, time) => {
    vi.setSystemTime("2026-06-03T09:00:00Z");
    expect(expiry(text).toISOString()).toBe(time);
    vi.useRealTimers();
  });

  test.each(["0d", "30", "30y", "-1d", "2020-01-01", "tomorrow", "2026-06-31"])(
    "%s is refused as an expiry",
    (text) => {
      expect(() => expiry(text)).toThrow("Use a time");
    },
  );
});
