import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { type Column, type ImportKind, patchImport } from "#lib/domain/workspace/imports/contract.ts";
import { importFields } from "#lib/domain/workspace/imports/words.ts";
import { clashesOf, mappingProblem, propertyTarget, proposedProperties, targetLabel } from "./mapping.ts";
import { fieldLabels, kinds } from "./words.ts";

type Target = Column["to"];

const columns = (...targets: Target[]) => targets.map((to, at) => ({ column: at + 1, header: `H${at + 1}`, to }));

const isTaken = (to: string): boolean =>
  patchImport.input.safeParse({ id: newId(), mapping: [{ column: 1, to }] }).success;

test.each(kinds)("a column of %s can be what the server takes, and each field has a label", (kind) => {
  for (const field of importFields[kind])
    expect([field, isTaken(field), Object.hasOwn(fieldLabels, field)]).toEqual([field, true, true]);
});

test("two columns for one stage clash; those for one address or country fill each other's gaps", () => {
  expect(clashesOf(columns("email", "email", "country", "country", null, null)).size).toBe(0);
  const clashes = clashesOf(columns("email", "stage", "stage"));
  expect([...clashes.keys()]).toEqual([2, 3]);
  expect(clashes.get(2)).toMatchObject([{ column: 3 }]);
});

test.each<[ImportKind, Target[], string | null]>([
  ["people", ["email", null], null],
  ["people", ["linkedin_url", "property.region"], null],
  ["people", ["stage", "stage", "email"], "“H1” and “H2” are both imported as Stage; choose one."],
  [
    "people",
    ["first_name"],
    "No column says which of your people a row is about: choose E-mail or LinkedIn profile for one.",
  ],
  ["companies", ["company"], null],
  [
    "companies",
    ["industry"],
    "No column says which of your companies a row is about: choose Company domain, Company LinkedIn page or Company name for one.",
  ],
  ["notes", ["email", "content"], null],
  ["notes", ["email"], "No column holds the text of the notes: choose one."],
  [
    "notes",
    ["content"],
    "No column says which person or company a note belongs to: choose E-mail, LinkedIn profile or Company domain for one.",
  ],
])("a file of %s with %j", (kind, targets, sentence) => {
  expect(mappingProblem(kind, columns(...targets))).toBe(sentence);
});

describe("a name for a property", () => {
  test.each([
    ["Deal size (€)", "property.deal_size"],
    ["Größe", "property.grosse"],
    ["2nd Owner", "property.nd_owner"],
    ["Région", "property.region"],
    ["€€", null],
    ["", null],
  ])("of %j", (header, target) => {
    expect(propertyTarget(header)).toBe(target);
  });

  test("is one that the server takes, whatever the header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (header) => {
        const target = propertyTarget(header);
        if (target !== null) expect([target, isTaken(target)]).toEqual([target, true]);
      }),
    );
  });
});

test("what was only proposed as a custom property can be left out at once, what the file or someone calls one cannot", () => {
  const column = (at: number, header: string, to: Target, proposed: Target = to): Column => ({
    ...{ column: at, header, samples: [], filled: 1, to, as: null },
    proposed: { to: proposed, confidence: 0.8, why: "" },
  });
  const target = (name: string) => `property.${name}` as Target;
  const left = proposedProperties([
    column(1, "Email", "email"),
    column(2, "Region", target("region")),
    column(3, "property.budget", target("budget")),
    column(4, "Colour", target("color"), target("colour")),
    column(5, "Size", null, target("size")),
  ]);
  expect([...left]).toEqual([[2, null]]);
});

test("a target has words", () => {
  expect(["email", "property.deal_size_eur", null].map((target) => targetLabel(target as Target))).toEqual([
    "E-mail",
    "Deal size EUR",
    "Left out",
  ]);
});
