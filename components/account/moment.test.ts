import { expect, test } from "vitest";
import { isWithin, momentOf, timeInput } from "./moment.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

test("a past day means its end", () => {
  const moment = momentOf({ as_of: "2026-10-21", by: null }, now);
  expect(timeInput(moment)).toEqual({ as_of: "2026-10-21T23:59:59.999Z" });
  expect(timeInput(momentOf({ as_of: "2026-10-21", by: "known" }, now))).toEqual({
    known_at: "2026-10-21T23:59:59.999Z",
  });
});

test.each(["2026-11-21", "2027-01-01", "2026-13-45", "yesterday", ""])("%s is now", (as_of) => {
  expect(momentOf({ as_of, by: null }, now)).toBeNull();
});

test("events that happened or were learned later are not included", () => {
  const past = momentOf({ as_of: "2026-10-21", by: null }, now);
  const known = momentOf({ as_of: "2026-10-21", by: "known" }, now);
  const [before, after] = ["2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"];
  expect([isWithin(past, before, after), isWithin(known, before, after), isWithin(null, after, after)]).toEqual([
    true,
    false,
    true,
  ]);
});
