/** Whole files as people send them, and what must arrive of each row. */
import { describe, expect, test } from "vitest";
import type { ImportKind } from "../contract.ts";
import { activityIn } from "./activity-rows.ts";
import { companyIn } from "./company-rows.ts";
import { delimiterOf, headerOf, recordsOf } from "./format.ts";
import { areActivities, type Hints, mappingProblem, otherKind, proposeMapping } from "./mapping.ts";
import { noteIn } from "./note-rows.ts";
import { personIn } from "./people-rows.ts";
import { planOf } from "./plan.ts";
import { lostIn } from "./progress.ts";

const now = new Date("2026-06-03T09:00:00Z");

function read(text: string, kind: ImportKind = "people", more: Partial<Hints> = {}) {
  const delimiter = delimiterOf(text, kind, true);
  const records = recordsOf(text, delimiter, true);
  const header = headerOf(records, kind);
  if (typeof header === "string") throw new Error(header);
  const rows = records.slice(header.place + 1).filter((row) => row.some((cell) => cell.trim() !== ""));
  const hints = { local: delimiter === ";", phoneCountry: null, ...more };
  const columns = proposeMapping(kind, header.headers, rows, hints);
  const plan = planOf({ kind, columns, stageValues: {}, phoneCountry: hints.phoneCountry });
  const understand = { people: personIn, companies: companyIn, notes: noteIn, activities: activityIn }[kind];
  const understood = rows.map((row) => understand(plan, row, now));
  return { columns, plan, rows, understood, problem: mappingProblem(kind, columns) };
}

const fieldsOf = (text: string, kind?: ImportKind, more?: Partial<Hints>) =>
  read(text, kind, more).understood.map(({ given }) => (given && "fields" in given ? given.fields : given));

const codesOf = (text: string) => read(text).understood.map(({ reasons }) => reasons.map(({ code }) => code));

describe("telephone numbers", () => {
  const file =
    "Email;Telefon;Land\nanna@acme.de;030 901820;Deutschland\nben@acme.fr;01 44 55 66 77;France\ncarla@acme.com;0170/1234567;\nd@acme.com;ask Bob;\n";

  test("are read by the row's country, else by the file's", () => {
    expect(
      fieldsOf(file, "people", { phoneCountry: "DE" }).map((fields) => (fields as { phone?: string }).phone),
    ).toEqual(["+4930901820", "+33144556677", "+491701234567", undefined]);
  });

  test("that cannot be read are kept as a property", () => {
    expect(fieldsOf(file)[2]).toMatchObject({ telefon: "0170/1234567" });
    expect(fieldsOf(file)[3]).toMatchObject({ telefon: "ask Bob" });
    expect(codesOf(file)).toEqual([[], [], ["invalid_phone"], ["invalid_phone"]]);
  });

  test("of several columns the first counts, and the others are kept", () => {
    const several =
      "Email,Mobile Phone,Home Phone\na@acme.com,+49 170 1234567,+49 30 901820\nb@acme.com,,+49 30 901821\n";
    expect(fieldsOf(several)).toEqual([
      { email: "a@acme.com", phone: "+4930901820", mobile_phone: "+49 170 1234567" },
      { email: "b@acme.com", phone: "+4930901821" },
    ]);
  });
});

describe("values", () => {
  test("of a German file are typed: dates with the day first, decimals with a comma, amounts with their currency", () => {
    const file =
      "E-Mail;Vertragsende;Umsatz;Kunde seit;Newsletter\na@acme.de;31.12.2026;1.234,50 €;01.02.2020;ja\nb@acme.de;05.06.2027;12.000,00 €;15.03.2021;nein\n";
    expect(fieldsOf(file)).toEqual([
      {
        email: "a@acme.de",
        vertragsende: "2026-12-31",
        umsatz_eur: 1234.5,
        kunde_seit: "2020-02-01",
        newsletter: true,
      },
      {
        email: "b@acme.de",
        vertragsende: "2027-06-05",
        umsatz_eur: 12_000,
        kunde_seit: "2021-03-15",
        newsletter: false,
      },
    ]);
  });

  test("of an American file are typed: dates with the month first, and Excel's days", () => {
    const file =
      'Email,Renewal,Deal size,Start date,Zip\na@acme.com,12/31/2026,"$1,200",46023,02139\nb@acme.com,6/5/2027,$300,46054,10001\n';
    expect(fieldsOf(file)).toEqual([
      { email: "a@acme.com", renewal: "2026-12-31", deal_size_usd: 1200, start_date: "2026-01-01", zip: "02139" },
      { email: "b@acme.com", renewal: "2027-06-05", deal_size_usd: 300, start_date: "2026-02-01", zip: "10001" },
    ]);
  });

  test("that differ in their kind stay text, and so do amounts in several currencies", () => {
    const file = "Email,Renewal,Budget\na@acme.com,next spring,€ 5\nb@acme.com,2026-06-01,$ 5\n";
    expect(fieldsOf(file)).toEqual([
      { email: "a@acme.com", renewal: "next spring", budget: "€ 5" },
      { email: "b@acme.com", renewal: "2026-06-01", budget: "$ 5" },
    ]);
  });

  test("that a spreadsheet was kept from running lose the apostrophe", () => {
    expect(fieldsOf("Email,Remark\na@acme.com,'=now\nb@acme.com,'tis\n")).toEqual([
      { email: "a@acme.com", remark: "=now" },
      { email: "b@acme.com", remark: "'tis" },
    ]);
  });
});

describe("company columns", () => {
  test("belong to the company of the e-mail's domain", () => {
    const file = "Email,Company,Industry,Company size,Company Country\nanna@acme.com,Acme,Fintech,51-200,Germany\n";
    const [row] = read(file).understood;
    expect(row?.given).toMatchObject({
      fields: { email: "anna@acme.com", company: "Acme" },
      employer: { domain: "acme.com", name: "Acme", industry: "Fintech", employee_count: 51, country: "Germany" },
      employs: false,
    });
  });

  test("belong to the company of that name where no domain names one", () => {
    const file = "Email,Company,Industry,Employees\nanna@gmail.com,Café  ACME GmbH,Fintech,120\n";
    const [row] = read(file).understood;
    expect(row?.given).toMatchObject({
      fields: { email: "anna@gmail.com", company: "Café  ACME GmbH" },
      employer: { name: "Café  ACME GmbH", industry: "Fintech", employee_count: 120 },
      employerMore: [{ kind: "name", value: "cafe acme gmbh" }],
      employs: true,
    });
  });

  test("belong to the company of a business address beside a private one", () => {
    const [row] = read("Email,Company,Industry\nanna@gmail.com; anna@acme.com,Acme,Fintech\n").understood;
    expect(row?.given).toMatchObject({
      employer: { domain: "acme.com", name: "Acme" },
      employerMore: [],
      employs: false,
    });
  });

  test("are kept with the person where nothing names a company", () => {
    const file =
      "Email,Company,Industry,Employees\nanna@gmail.com,,Fintech,120\nben@gmail.com,Self-employed,Design,1\n";
    expect(fieldsOf(file)).toEqual([
      { email: "anna@gmail.com", industry: "Fintech", employees: "120" },
      { email: "ben@gmail.com", company: "Self-employed", industry: "Design", employees: "1" },
    ]);
    expect(codesOf(file)).toEqual([
      ["no_company", "no_company"],
      ["no_company", "no_company"],
    ]);
  });

  test("of a file of companies without domains name these by their names", () => {
    const [row] = read("Company Name,Industry,City\nAcme,Fintech,Berlin\n", "companies").understood;
    expect(row?.given).toMatchObject({
      fields: { name: "Acme", industry: "Fintech" },
      more: [{ kind: "name", value: "acme" }],
    });
  });
});

describe("two columns for one field", () => {
  test("fill each other's gaps, and what differs is kept", () => {
    const file =
      "Job Title,Position,Email\nCFO,,a@acme.com\nCTO,Chief Technology Officer,b@acme.com\n,Buyer,c@acme.com\n";
    expect(fieldsOf(file)).toEqual([
      { email: "a@acme.com", job_title: "CFO" },
      { email: "b@acme.com", job_title: "CTO", position: "Chief Technology Officer" },
      { email: "c@acme.com", job_title: "Buyer" },
    ]);
  });
});

describe("a file without a contact column", () => {
  test("is one of companies, and the refusal names what was read", () => {
    const file = "Firma;Webseite;Branche\nAcme;acme.com;Fintech\n";
    const { problem, columns, rows } = read(file);
    expect(problem).toBe(
      "No column names the records: choose one for email or linkedin_url. The file has Firma, Webseite, Branche.",
    );
    expect(
      otherKind(
        "people",
        columns.map(({ header }) => header),
        rows,
      ),
    ).toBe("companies");
    expect(fieldsOf(file, "companies")).toEqual([{ domain: "acme.com", name: "Acme", industry: "Fintech" }]);
  });

  test.each<[is: boolean, file: string]>([
    [
      true,
      "Email,Type,Date,Description\nanna@acme.com,Call,2026-03-12,Intro\nben@acme.com,Email sent,2026-03-13,Pilot\n",
    ],
    [true, "Contact,E-Mail,Aktivität,Datum,Betreff\nAnna Smith,anna@acme.com,Meeting,12.03.2026,Intro\n"],
    [false, "Email,Type,Date\nanna@acme.com,Customer,2026-03-12\nben@acme.com,Prospect,2026-03-13\n"],
    [false, "Email,Type,Job Title,Date\nanna@acme.com,Call,CFO,2026-03-12\n"],
    [false, "Email,Type\nanna@acme.com,Call\n"],
  ])("of people is one of activities: %s", (is, file) => {
    const { columns, rows } = read(file);
    const headers = columns.map(({ header }) => header);
    expect(areActivities("people", columns, headers, rows)).toBe(is);
  });

  test("is nothing when no row has an identifier", () => {
    expect(otherKind("people", ["Colour", "Shape"], [["red", "round"]])).toBeNull();
  });
});

describe("values that do not arrive", () => {
  test("are counted: those of columns that are left out, and those of rows that are skipped", () => {
    const { plan, rows } = read("Email,Name,Colour\nanna@acme.com,Anna,red\n,Ben,n/a\n");
    const left = { ...plan, leftOut: [2] };
    const reasons = [{ code: "no_identifier", message: "", column: null }];
    const rest = { entityId: null, label: null, changes: [] };
    const { results, leftOut } = lostIn(left, rows, [
      { outcome: "created", reasons: [], ...rest },
      { outcome: "skipped", reasons, ...rest },
    ]);
    expect(leftOut).toEqual({ rows: 1, cells: 1 });
    expect(results.map((result) => result?.reasons.map(({ cells }) => cells))).toEqual([[], [1]]);
  });

  test("are none where a field cannot take them: an address that is none, a text for a number", () => {
    const file =
      "Email,LinkedIn,Employees,Company Domain\nn/a,linkedin.com/in/anna,many,acme.com\noops,linkedin.com/in/ben,,gmail.com\n";
    expect(fieldsOf(file)).toEqual([
      { linkedin_url: "https://www.linkedin.com/in/anna", employees: "many" },
      { linkedin_url: "https://www.linkedin.com/in/ben", email_text: "oops", company_domain: "gmail.com" },
    ]);
  });
});

describe("activities", () => {
  const given = (text: string) => read(text, "activities").understood.map((one) => one.given);

  test("of another tool are read by their words, and what has no field is their metadata", () => {
    const file =
      "Contact Email;Activity Type;Occurred At;Subject;Duration\nanna@acme.de;E-Mail received;03.06.2026 09:00;Re: pilot;12\nben@acme.de;Demo booked;;;\nfernhill.eu;Deal won;2026-06-02;;\n";
    expect(given(file)).toMatchObject([
      {
        named: { kind: "email", value: "anna@acme.de" },
        property: "interaction.email_received",
        value: { description: "Re: pilot", metadata: { duration: 12 } },
        happenedAt: new Date("2026-06-03T09:00:00Z"),
      },
      { property: "interaction.meeting_scheduled", value: {}, happenedAt: null },
      null,
    ]);
    expect(given("Email,Type\nanna@acme.de,Deal won\n")).toMatchObject([
      { property: "interaction.custom", value: { metadata: { event: "deal_won" } } },
    ]);
  });

  test("need a contact and a type", () => {
    expect(read("Email,Subject\nanna@acme.de,Pilot\n", "activities").problem).toMatch(/No column says what happened/);
    expect(read("Type,Subject\ncall,Pilot\n", "activities").problem).toMatch(/which person or company an activity/);
    const { understood } = read("Email,Type\nanna@acme.de,\n,call\n", "activities");
    expect(understood.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([["no_type"], ["no_identifier"]]);
  });

  test("whose value is no JSON that can be kept have it as text", () => {
    const head = "id,type,observed_at,entity_id,property,value,detail\n";
    const row = (value: string) => `,call,2026-06-03T09:00:00.123Z,,interaction.call,"${value}",anna@acme.de\n`;
    const file = head + row('{""a"":1}') + row('{""a"":""\\u0000""}') + row("plain");
    expect(given(file)).toMatchObject([
      { value: { a: 1 }, happenedAt: new Date("2026-06-03T09:00:00.123Z") },
      { value: '{"a":"\\u0000"}' },
      { value: "plain" },
    ]);
  });
});
