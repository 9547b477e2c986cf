import { expect, test } from "vitest";
import { hasWords, shorterTexts, verbIn } from "./record-verbs.ts";

const meant = (text: string) => {
  const order = verbIn(text);
  return order && [order.name, ...order.meant.map(({ label }) => label("Lena"))];
};

test.each([
  ["log lena tanaka", ["lena tanaka", "Log an activity with Lena"]],
  ["Note lena", ["lena", "Add a note on Lena"]],
  ["move lena tanaka to evaluating", ["lena tanaka", "Move Lena to Evaluating"]],
  ["move lena client", ["lena", "Move Lena to Client"]],
  ["merge acme", ["acme", "Merge Lena with…"]],
  ["own lena to grace", ["lena", "Make me the owner of Lena"]],
  ["export lena tanaka", ["lena tanaka", "Export all data about Lena"]],
  ["lena tanaka", null],
  ["log", null],
])("%j", (text, expected) => expect(meant(text)).toEqual(expected));

test("a stage that is not named leaves all of them", () => expect(meant("stage lena")).toHaveLength(6));

test("words are left out from the end, then from the beginning", () =>
  expect(shorterTexts("Lena Tanaka VP")).toEqual([
    { name: "lena tanaka", left: ["vp"] },
    { name: "tanaka vp", left: ["lena"] },
    { name: "lena", left: ["tanaka", "vp"] },
    { name: "vp", left: ["lena", "tanaka"] },
  ]));

test.each([
  ["Lena Tanaka VP of Sales · Acme", ["vp"], true],
  ["Lena Tanaka Designer · Acme", ["vp"], false],
  ["Lena Tanaka VP of Sales · Acme", ["vp", "sal"], true],
])("%j has %j: %j", (line, wanted, expected) => expect(hasWords(line, wanted)).toBe(expected));
