import { expect, test } from "vitest";
import { companyRow, personRow, valuesOfCompany, valuesOfPerson } from "./rows.ts";

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
      share: "0.25",
      exact: "1.1234567890123456",
      smile: "😀!",
      linkedin_url: "no identifier",
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
    share: ["\n0.25\n", 0.25, null],
    exact: ["\n1.1234567890123456\n", null, null],
    smile: ["\n😀!\n", null, null],
    year: ["\n2026\n", 2026, null],
    day: ["\n2026-06-03\n", null, new Date("2026-06-03")],
    odd: ["\n2026-13-40\n", null, null],
    tags: ["\na\nb c\n", null, null],
    none: ["\n", null, null],
    yes: ["\ntrue\n", null, null],
  });
});

test("each value names its record; the standard fields that filters look for come before the custom ones", () => {
  const shared = { status: "active", createdAt: new Date(0) } as const;
  const identifiers = [{ kind: "linkedin_url", value: "https://www.linkedin.com/in/Anna" }];
  const claims = { region: "EU", first_name: "Anna", last_name: "Smith", job_title: "CEO", phone: "+49", owner: "me" };
  const anna = personRow({ ...shared, id: "1", identifiers, claims: new Map(Object.entries(claims)) }, null);
  const ofAnna = { entityId: "1", subject: "person", number: null, time: null };
  expect(valuesOfPerson(anna)).toEqual([
    { ...ofAnna, property: "first_name", folded: "\nanna\n" },
    { ...ofAnna, property: "last_name", folded: "\nsmith\n" },
    { ...ofAnna, property: "job_title", folded: "\nceo\n" },
    { ...ofAnna, property: "linkedin_url", folded: "\nhttps://www.linkedin.com/in/anna\n" },
    { ...ofAnna, property: "phone", folded: "\n+49\n" },
    { ...ofAnna, property: "region", folded: "\neu\n" },
  ]);
  const ofCompany = { industry: "Steel", employee_count: 7, country: "DE", name: "Acme", founded: 1999 };
  const acme = companyRow({ ...shared, id: "2", identifiers, claims: new Map(Object.entries(ofCompany)) });
  const ofAcme = { entityId: "2", subject: "company", number: null, time: null };
  expect(valuesOfCompany(acme)).toEqual([
    { ...ofAcme, property: "linkedin_url", folded: "\nhttps://www.linkedin.com/in/anna\n" },
    { ...ofAcme, property: "industry", folded: "\nsteel\n" },
    { ...ofAcme, property: "employee_count", folded: "\n7\n", number: 7 },
    { ...ofAcme, property: "country", folded: "\nde\n" },
    { ...ofAcme, property: "founded", folded: "\n1999\n", number: 1999 },
  ]);
});

test("a long text is cut, and then equals no shorter one", () => {
  const { note } = valuesFor({ note: `${"a".repeat(1_999)}😀b` });
  const [folded] = note as [string];
  expect(folded).toBe(`\n${"a".repeat(1_999)}`);
});
