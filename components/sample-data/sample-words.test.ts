import { expect, test } from "vitest";
import { goesOf, staysOf } from "./sample-words.ts";

const sample = {
  ...{ people: 200, companies: 40, notes: 50, lead_lists: 1, facts: 7, kept: 0 },
  own: { people: 0, companies: 0 },
};

test("what goes is counted", () => {
  expect(goesOf(sample)).toBe(
    "Removed for good: 200 people, 40 companies, 50 notes, 1 lead list, and 7 entries of the GTM profile, with their activity and scores.",
  );
  expect(goesOf({ ...sample, people: 1, companies: 0, notes: 0, lead_lists: 0, facts: 0 })).toBe(
    "Removed for good: 1 person, with their activity and scores.",
  );
});

test.each([
  [{}, "You have no people or companies of your own yet."],
  [{ own: { people: 1, companies: 0 } }, "Stays: 1 person of your own."],
  [
    { own: { people: 3, companies: 1 }, kept: 1 },
    "Stays: 3 people of your own, 1 company of your own, and 1 sample record with notes or activity that you added.",
  ],
  [{ kept: 2 }, "Stays: 2 sample records with notes or activity that you added."],
])("what stays is counted: %j", (change, words) => {
  expect(staysOf({ ...sample, ...change })).toBe(words);
});
