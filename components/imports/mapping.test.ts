import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { type Column, type ImportKind, patchImport } from "#lib/domain/workspace/imports/contract.ts";
import { importFields } from "#lib/domain/workspace/imports/words.ts";
import { clashesOf, mappingProblem, propertyTarget, restAsProperties, targetLabel } from "./mapping.ts";
import { fieldLabels, kinds } from "./words.ts";

type Target = Column["to"];

const columns = (...targets: Target[]) => targets.map((to, at) => ({ column: at + 1, header: `H${at + 1}`, to }));

const isTaken = (to: string): boolean =>
  patchImport.input.safeParse({ id: newId(), mapping: [{ column: 1, to }] }).success;

test.each(kinds)("a column of %s can be what the server takes, and each field has a label", (kind) => {
  for (const field of importFields[kind])
    expect([field, isTaken(field), Object.hasOwn(fieldLabels, field)]).toEqual([field, true, true]);
});

test("two columns for one field clash, several addresses and phones do not", () => {
  expect(clashesOf(columns("email", "email", "phone", "phone", null, null)).size).toBe(0);
  const clashes = clashesOf(columns("email", "country", "country"));
  expect([...clashes.keys()]).toEqual([2, 3]);
  expect(clashes.get(2)).toMatchObject([{ column: 3 }]);
});

test.each<[ImportKind, Target[], string | null]>([
  ["people", ["email", null], null],
  ["people", ["linkedin_url", "property.region"], null],
  ["people", ["country", "country", "email"], "“H1” and “H2” are both imported as Country; choose one."],
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

test("the rest becomes properties, except what is empty, has no name, or was recognised as useless", () => {
  const column = (at: number, header: string, more: Partial<Column> = {}): Column => ({
    column: at,
    header,
    samples: [],
    filled: 1,
    to: null,
    as: null,
    proposed: { to: null, confidence: 0.5, why: "No known header." },
    ...more,
  });
  const chosen = restAsProperties([
    column(1, "Email", { to: "email" }),
    column(2, "Region"),
    column(3, "region"),
    column(4, "Empty", { filled: 0 }),
    column(5, "Email Status", { proposed: { to: null, confidence: 0.95, why: "" } }),
    column(6, "€"),
    column(7, "Owner", { to: "property.owner" }),
    column(8, "owner"),
  ]);
  expect([...chosen]).toEqual([[2, "property.region"]]);
});

test("a target has words", () => {
  expect(["email", "property.deal_size_eur", null].map((target) => targetLabel(target as Target))).toEqual([
    "E-mail",
    "Deal size EUR",
    "Left out",
  ]);
});
