import { expect, test } from "vitest";
import { filterWords, propertiesIn, resultOf, stateOf, textOfProperties } from "./words.ts";

test("conditions are read from lines, and written back", () => {
  const text = "seniority = vp, cxo\nregion = DACH";
  const read = { seniority: ["vp", "cxo"], region: "DACH" };
  expect(propertiesIn(text)).toEqual(read);
  expect(textOfProperties(read)).toBe(text);
  expect(propertiesIn("nothing\n= x\nname =")).toEqual({});
});

test("filters read as conditions", () => {
  expect(filterWords({})).toEqual([]);
  expect(filterWords({ stage: ["client"], property: { seats: 40 }, list: ["x"] })).toEqual([
    "stage is client",
    "seats is 40",
    "in one lead list",
  ]);
});

test.each([
  [{ status: "active", failing_since: null }, "Active"],
  [{ status: "active", failing_since: "2026-06-03T14:00:00.000Z" }, "Failing"],
  [{ status: "disabled", failing_since: "2026-06-03T14:00:00.000Z" }, "Disabled"],
] as const)("%j is %s", (trigger, label) => expect(stateOf(trigger).label).toBe(label));

test("a result says what was answered, and how often it was tried", () => {
  const delivery = { attempts: 1, last_status: 200, problem: null, status: "delivered" } as never;
  expect(resultOf(delivery)).toBe("Answered 200.");
  expect(resultOf({ ...(delivery as object), attempts: 0, status: "pending" } as never)).toBe("Waiting for its turn.");
  expect(resultOf({ ...(delivery as object), attempts: 3, problem: "It answered 500." } as never)).toBe(
    "It answered 500. (3 attempts)",
  );
});
