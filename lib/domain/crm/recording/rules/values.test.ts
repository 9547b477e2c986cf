import { expect, test } from "vitest";
import { personRow } from "./rows.ts";
import { valuesOfPerson } from "./values.ts";

const valuesFor = (claims: Record<string, unknown>) =>
  Object.fromEntries(
    valuesOfPerson(
      personRow(
        { id: "1", status: "active", createdAt: new Date(0), identifiers: [], claims: new Map(Object.entries(claims)) },
        null,
      ),
    ).map(({ property, folded, number, time }) => [property, [folded, number, time]]),
  );

test("values of text, numbers, times and lists, each item between line breaks", () => {
  expect(
    valuesFor({
      job_title: "Head\nof  Sáles",
      phone: "+49",
      company: "Acme",
      size: 7.5,
      zip: "01234",
      year: "2026",
      day: "2026-06-03",
      odd: "2026-13-40",
      tags: ["A", "b c"],
      none: [],
      yes: true,
      deep: { a: 1 },
    }),
  ).toEqual({
    job_title: ["\nhead of sales\n", null, null],
    phone: ["\n+49\n", null, null],
    size: ["\n7.5\n", 7.5, null],
    zip: ["\n01234\n", null, null],
    year: ["\n2026\n", 2026, null],
    day: ["\n2026-06-03\n", null, new Date("2026-06-03")],
    odd: ["\n2026-13-40\n", null, null],
    tags: ["\na\nb c\n", null, null],
    none: ["\n", null, null],
    yes: ["\ntrue\n", null, null],
  });
});

test("a long text is cut, and then equals no shorter one", () => {
  const { note } = valuesFor({ note: `${"a".repeat(1_999)}😀b` });
  const [folded] = note as [string];
  expect(folded).toBe(`\n${"a".repeat(1_999)}`);
});
