import { type GivenRow, phoneNumber } from "#lib/domain/crm/people/service.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import type { NoteDate } from "#lib/domain/knowledge/notes/service.ts";
import {
  companyDomain,
  type Named,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "#lib/domain/records/entities/service.ts";
import type { Column } from "../contract.ts";
import type { Cell } from "../queries/batches.ts";
import type { ImportField } from "../words.ts";
import { countIn, dateIn, namesIn, valueIn, valuesIn } from "./cells.ts";
import type { RowReason } from "./progress.ts";

/** Which columns hold what, and what the file's words for stages mean. */
export type Plan = {
  width: number;
  headers: readonly string[];
  of: ReadonlyMap<ImportField, readonly number[]>;
  properties: readonly { name: string; place: number }[];
  stages: ReadonlyMap<string, Stage | null>;
};

export function planOf(columns: readonly Column[], stageValues: Readonly<Record<string, Stage | null>>): Plan {
  const of = new Map<ImportField, number[]>();
  const properties: Plan["properties"][number][] = [];
  for (const { to, column } of columns) {
    if (to === null) continue;
    if (to.startsWith("property.")) properties.push({ name: to.slice("property.".length), place: column - 1 });
    else of.set(to as ImportField, [...(of.get(to as ImportField) ?? []), column - 1]);
  }
  const stages = new Map(Object.entries(stageValues).map(([word, stage]) => [word.trim().toLowerCase(), stage]));
  return { width: columns.length, headers: columns.map(({ header }) => header), of, properties, stages };
}

/** A row as it is understood. `given` is null when it names no record. */
export type Understood<T> = { given: T | null; label: string | null; reasons: RowReason[] };

/** Reads the cells of one row by the plan, and notes what it cannot use. */
class RowReader {
  readonly reasons: RowReason[] = [];
  private readonly plan: Plan;
  private readonly cells: readonly Cell[];

  constructor(plan: Plan, cells: readonly Cell[]) {
    this.plan = plan;
    this.cells = cells;
  }

  /** The values of a field's columns, with the header each comes from. */
  all(field: ImportField): { text: string; place: number }[] {
    return (this.plan.of.get(field) ?? []).flatMap((place) => this.at(place));
  }

  one(field: ImportField, most = 300): string | null {
    const [first] = this.all(field);
    if (!first) return null;
    if (first.text.length <= most) return first.text;
    this.refuse("too_long", `${field} is longer than ${most} characters.`, first.place);
    return null;
  }

  at(place: number): { text: string; place: number }[] {
    const cell = this.cells[place];
    const text = typeof cell === "number" ? null : valueIn(cell);
    return text === null ? [] : [{ text, place }];
  }

  refuse(code: string, message: string, place: number): void {
    this.reasons.push({ code, message, column: this.plan.headers[place] ?? null });
  }

  /** Each value of the columns of an identifier, normalised; others are noted. */
  named(field: ImportField, kind: Named["kind"], normalise: (text: string) => string | null): Named[] {
    return this.all(field).flatMap(({ text, place }) => {
      const parts = field === "linkedin_url" ? [text] : valuesIn(text);
      const found = parts.flatMap((part) => normalise(part) ?? []);
      if (found.length === 0)
        this.refuse(`invalid_${kind}`, `${this.plan.headers[place]} has no ${described[kind]}.`, place);
      return found.map((value): Named => ({ kind, value }));
    });
  }

  observedAt(now: Date): Date | null {
    const date = this.date("observed_at");
    if (!date) return null;
    return date.time > now ? null : date.time;
  }

  date(field: ImportField): NoteDate | null {
    const [first] = this.all(field);
    if (!first) return null;
    const date = dateIn(first.text);
    if (!date)
      this.refuse("invalid_date", `${this.plan.headers[first.place]} has no date, or an ambiguous one.`, first.place);
    return date;
  }

  number(field: ImportField): number | null {
    const [first] = this.all(field);
    if (!first) return null;
    const count = countIn(first.text);
    if (count === null) this.refuse("invalid_number", `${this.plan.headers[first.place]} has no number.`, first.place);
    return count;
  }

  properties(): Record<string, string> {
    return Object.fromEntries(
      this.plan.properties.flatMap(({ name, place }) =>
        this.at(place).flatMap(({ text }) => {
          if (text.length <= 2_000) return [[name, text]];
          this.refuse("too_long", `${name} is longer than 2,000 characters.`, place);
          return [];
        }),
      ),
    );
  }

  stage(): Stage | null {
    const [first] = this.all("stage");
    if (!first) return null;
    const stage = this.plan.stages.get(first.text.toLowerCase());
    if (stage === undefined) this.refuse("unknown_stage", "No stage is chosen for this word.", first.place);
    return stage ?? null;
  }
}

const described = {
  email: "valid e-mail address",
  linkedin_url: "public LinkedIn profile",
  domain: "company's domain",
};

const person = (text: string) => ofPath(text, "/in/");
const companyPage = (text: string) => ofPath(text, "/company/");

function ofPath(text: string, path: string): string | null {
  const url = normaliseLinkedinUrl(text);
  return url?.includes(path) ? url : null;
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Why a row of this shape is skipped before it is read; null when it is not. */
export function shapeProblem(plan: Plan, cells: readonly Cell[]): RowReason | null {
  const long = cells.findIndex((cell) => typeof cell === "number");
  if (long >= 0)
    return {
      code: "cell_too_long",
      message: `A cell has ${(cells[long] as number).toLocaleString("en")} characters; 2,000,000 is the most.`,
      column: plan.headers[long] ?? null,
    };
  const extra = cells.slice(plan.width).some((cell) => cell !== "");
  return extra
    ? { code: "too_many_cells", message: `The row has ${cells.length} cells, the header ${plan.width}.`, column: null }
    : null;
}

/** A row about a person. */
export function personIn(plan: Plan, cells: readonly Cell[], now: Date): Understood<GivenRow> {
  const row = new RowReader(plan, cells);
  const emails = row.named("email", "email", normaliseEmail);
  const profiles = row.named("linkedin_url", "linkedin_url", person);
  const whole = row.one("name", 400);
  const names = {
    ...(whole ? namesIn(whole) : {}),
    ...given({ first_name: row.one("first_name", 200), last_name: row.one("last_name", 200) }),
  };
  const label =
    emails[0]?.value ?? ([names.first_name, names.last_name].filter(Boolean).join(" ") || profiles[0]?.value || null);
  const [email, linkedin] = [emails[0], profiles[0]];
  if (!email && !linkedin) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "The row has no e-mail address and no LinkedIn URL.",
      column: null,
    });
    return { given: null, label, reasons: row.reasons };
  }
  const phones = row.all("phone");
  const phone = phones.map(({ text }) => phoneNumber(text)).find((number) => number !== null) ?? null;
  if (phone === null && phones[0])
    row.refuse("invalid_phone", "The phone number is not valid, or has no country code.", phones[0].place);
  const company = row.one("company");
  const fields = {
    ...row.properties(),
    ...given({
      email: email?.value,
      linkedin_url: linkedin?.value,
      ...names,
      job_title: row.one("job_title"),
      company,
      phone,
      pipeline_stage: row.stage(),
    }),
    ...countryOf(row),
  };
  return {
    given: {
      fields,
      more: [...emails.slice(1), ...profiles.slice(1)],
      observedAt: row.observedAt(now),
      employer: employerIn(row, company),
      repeats: false,
    },
    label,
    reasons: row.reasons,
  };
}

/** A person's country is a custom property. */
const countryOf = (row: RowReader) => given({ country: row.one("country") });

/** What a row about a person says of their company, when it names it by more than words. */
function employerIn(row: RowReader, name: string | null): GivenRow["employer"] {
  const [domain] = row.named("company_domain", "domain", companyDomain);
  const [page] = row.named("company_linkedin_url", "linkedin_url", companyPage);
  if (!domain && !page) return null;
  return given({
    domain: domain?.value,
    linkedin_url: page?.value,
    name,
    industry: row.one("industry", 200),
    employee_count: row.number("employees"),
  });
}

/** A row about a company. One without domain and LinkedIn page is found by its name, which the caller looks up. */
export function companyIn(
  plan: Plan,
  cells: readonly Cell[],
  now: Date,
): Understood<GivenRow> & { name: string | null } {
  const row = new RowReader(plan, cells);
  const domains = row.named("company_domain", "domain", companyDomain);
  const pages = row.named("company_linkedin_url", "linkedin_url", companyPage);
  const name = row.one("company");
  const label = name ?? domains[0]?.value ?? pages[0]?.value ?? null;
  const fields = {
    ...row.properties(),
    ...given({
      domain: domains[0]?.value,
      linkedin_url: pages[0]?.value,
      name,
      industry: row.one("industry", 200),
      employee_count: row.number("employees"),
      country: row.one("country", 100),
    }),
  };
  const rest = { label, reasons: row.reasons, name };
  if (!domains[0] && !pages[0] && !name) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "The row has no domain, no LinkedIn URL and no name.",
      column: null,
    });
    return { given: null, ...rest };
  }
  const more = [...domains.slice(1), ...pages.slice(1)];
  return { given: { fields, more, observedAt: row.observedAt(now), employer: null, repeats: false }, ...rest };
}

export type GivenNote = {
  named: Named;
  content: string;
  title: string | null;
  date: NoteDate | null;
  type: string | null;
};

/** A row that is a note. */
export function noteIn(plan: Plan, cells: readonly Cell[]): Understood<GivenNote> {
  const row = new RowReader(plan, cells);
  const [named] = [
    ...row.named("email", "email", normaliseEmail),
    ...row.named("linkedin_url", "linkedin_url", normaliseLinkedinUrl),
    ...row.named("company_domain", "domain", companyDomain),
  ];
  const title = row.one("title", 200);
  const content = row.one("content", 2_000_000);
  const label = title ?? named?.value ?? null;
  if (!named) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "The row does not say which person or company the note is about.",
      column: null,
    });
    return { given: null, label, reasons: row.reasons };
  }
  if (content === null) {
    row.reasons.unshift({ code: "no_content", message: "The row has no text.", column: null });
    return { given: null, label, reasons: row.reasons };
  }
  return {
    given: { named, content, title, date: row.date("date"), type: row.one("type", 50) },
    label,
    reasons: row.reasons,
  };
}
