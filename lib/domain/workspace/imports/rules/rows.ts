import { type GivenRow, phoneNumber } from "#lib/domain/crm/people/service.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import type { NoteDate } from "#lib/domain/knowledge/notes/service.ts";
import {
  companyDomain,
  companyDomainOf,
  type Identifier,
  normaliseCompanyName,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "#lib/domain/records/entities/service.ts";
import { fold } from "#lib/text/fold.ts";
import type { Column, ImportKind } from "../contract.ts";
import type { ImportField, Reading } from "../words.ts";
import { activityNamed, eventProperty, jsonIn, valueOfActivity } from "./activities.ts";
import { type Cell, countIn, dateIn, namesIn, typedIn, valueIn, valuesIn } from "./cells.ts";
import { type CountryCode, countryIn } from "./countries.ts";
import { ownExport } from "./own-exports.ts";
import type { RowReason } from "./progress.ts";
import { spareName } from "./properties.ts";

/** Which columns hold what, how they are read, and what the file's words for stages mean. */
export type Plan = {
  kind: ImportKind;
  width: number;
  headers: readonly string[];
  /** the columns of a field, the one that counts first before those that fill its gaps */
  of: ReadonlyMap<ImportField, readonly number[]>;
  /** the places of the columns that are left out */
  leftOut: readonly number[];
  properties: readonly { name: string; place: number }[];
  readings: readonly (Reading | null)[];
  /** by place: the custom property that keeps what the field of a column cannot take */
  spare: readonly string[];
  stages: ReadonlyMap<string, Stage | null>;
  phoneCountry: CountryCode | null;
  /**
   * Where a file that Rapport exported has the ids of its records, and of their companies (of a lead's person); null: it is another
   * file.
   */
  ids: { record: number; company: number } | null;
};

type PlanSource = {
  kind: ImportKind;
  columns: readonly Column[];
  stageValues: Readonly<Record<string, Stage | null>>;
  phoneCountry: string | null;
};

export function planOf({ kind, columns, stageValues, phoneCountry }: PlanSource): Plan {
  const of = new Map<ImportField, number[]>();
  const properties: Plan["properties"][number][] = [];
  const taken = new Set(kind === "people" ? ["country"] : []);
  const sure = ({ to, proposed }: Column) => (proposed.to === to ? proposed.confidence : 1);
  for (const { to, column } of columns.toSorted((a, b) => sure(b) - sure(a) || b.filled - a.filled)) {
    if (to === null) continue;
    if (to.startsWith("property.")) {
      const name = to.slice("property.".length);
      taken.add(name);
      properties.push({ name, place: column - 1 });
    } else of.set(to as ImportField, [...(of.get(to as ImportField) ?? []), column - 1]);
  }
  const headers = columns.map(({ header }) => header);
  const own = ownExport(kind, headers);
  return {
    kind,
    width: columns.length,
    headers,
    of,
    properties,
    leftOut: columns.flatMap(({ to, column }) => (to === null ? [column - 1] : [])),
    readings: columns.map(({ as }) => as ?? null),
    spare: columns.map(({ header, column, to }) =>
      to === null || to.startsWith("property.") ? "" : spareName(kind, header, column, taken),
    ),
    stages: new Map(Object.entries(stageValues).map(([word, stage]) => [word.trim().toLowerCase(), stage])),
    phoneCountry: phoneCountry as CountryCode | null,
    ids: own && {
      record: headers.indexOf("id"),
      company: headers.indexOf(headers.includes("company_id") ? "company_id" : "entity_id"),
    },
  };
}

/** A row as it is understood. `given` is null when it names no record. */
export type Understood<T> = { given: T | null; label: string | null; reasons: RowReason[] };

/** Reads the cells of one row by the plan, and notes what it cannot use. */
class RowReader {
  readonly reasons: RowReason[] = [];
  private readonly plan: Plan;
  private readonly cells: readonly Cell[];
  private readonly spare: Record<string, string> = {};

  constructor(plan: Plan, cells: readonly Cell[]) {
    this.plan = plan;
    this.cells = cells;
  }

  /** The values of a field's columns, with the header each comes from. */
  all(field: ImportField): { text: string; place: number }[] {
    return (this.plan.of.get(field) ?? []).flatMap((place) => this.at(place));
  }

  /** The value of a field: of its first column that has one. What others say differently is kept beside. */
  one(field: ImportField, most = 300): string | null {
    let first: string | null = null;
    for (const { text, place } of this.all(field)) {
      if (text.length > most)
        this.keep(place, text, "too_long", `${this.plan.headers[place]} is longer than ${most} characters`);
      else if (first === null) first = text;
      else this.keepOther(place, text, first);
    }
    return first;
  }

  at(place: number): { text: string; place: number }[] {
    const cell = this.cells[place];
    const text = typeof cell === "number" ? null : valueIn(cell);
    return text === null ? [] : [{ text, place }];
  }

  /** A value that does not arrive. */
  refuse(code: string, message: string, place: number): void {
    this.reasons.push({ code, message, column: this.plan.headers[place] ?? null, cells: 1 });
  }

  /** A value that its field cannot take: a custom property keeps it, where there are any. */
  keep(place: number, text: string, code: string, why: string): void {
    const name = this.plan.spare[place];
    if (this.plan.kind === "notes" || !name || text.length > MOST_PROPERTY) {
      this.refuse(code, `${why}.`, place);
      return;
    }
    this.spare[name] = text;
    this.reasons.push({
      code,
      message: `${why}; it is kept as the custom property ${name}.`,
      column: this.plan.headers[place] ?? null,
      cells: 0,
    });
  }

  /** What a further column says of a field that has a value. */
  keepOther(place: number, text: string, first: string): void {
    const name = this.plan.spare[place];
    if (fold(text) === fold(first)) return;
    if (this.plan.kind !== "notes" && name && text.length <= MOST_PROPERTY) this.spare[name] = text;
    else this.refuse("second_value", `Another column has the value of ${this.plan.headers[place]} already.`, place);
  }

  /** Each value of the columns of an identifier, normalised; others are kept beside. */
  named(field: ImportField, kind: keyof typeof described, normalise: (text: string) => string | null): Identifier[] {
    return this.all(field).flatMap(({ text, place }) => {
      const parts = field === "linkedin_url" ? [text] : valuesIn(text);
      const values = parts.flatMap((part) => normalise(part) ?? []);
      if (values.length === 0)
        this.keep(place, text, `invalid_${kind}`, `${this.plan.headers[place]} has no ${described[kind]}`);
      return values.map((value): Identifier => ({ kind, value }));
    });
  }

  observedAt(now: Date): Date | null {
    const date = this.date("observed_at");
    if (!date) return null;
    if (date.time <= now) return date.time;
    const [first] = this.all("observed_at");
    if (first) this.keep(first.place, first.text, "future_date", "The date of the data is in the future");
    return null;
  }

  date(field: ImportField): NoteDate | null {
    let noteDate: NoteDate | null = null;
    for (const { text, place } of this.all(field)) {
      const date = dateIn(text, this.plan.readings[place] ?? null);
      if (!date) this.keep(place, text, "invalid_date", `${this.plan.headers[place]} has no date, or an ambiguous one`);
      else if (noteDate === null) noteDate = date;
      else if (noteDate.time.getTime() !== date.time.getTime()) this.keepOther(place, text, "");
    }
    return noteDate;
  }

  number(field: ImportField): number | null {
    let size: { count: number; text: string } | null = null;
    for (const { text, place } of this.all(field)) {
      const count = countIn(text);
      if (count === null) this.keep(place, text, "invalid_number", `${this.plan.headers[place]} has no number`);
      else if (size === null) size = { count, text };
      else this.keepOther(place, text, size.text);
    }
    return size?.count ?? null;
  }

  /** The number that is shown. Other numbers, and text that is no number, are kept as a property. */
  phone(): string | null {
    const named = [...this.all("country"), ...this.all("company_country")].map(({ text }) => countryIn(text));
    const country = named.find((code) => code !== null) ?? this.plan.phoneCountry;
    let first: string | null = null;
    for (const { text, place } of this.all("phone")) {
      const number = phoneNumber(text, country);
      if (number === null)
        this.keep(place, text, "invalid_phone", "The phone number cannot be read, or has no country code");
      else if (first === null) first = number;
      else if (number !== first) this.keepOther(place, text, "");
    }
    return first;
  }

  /** Custom properties: those of columns, and what fields could not take. */
  properties(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const { name, place } of this.plan.properties)
      for (const { text } of this.at(place)) {
        if (text.length > MOST_PROPERTY) this.refuse("too_long", `${name} is longer than 2,000 characters.`, place);
        else if (fields[name] === undefined) fields[name] = typedIn(text, this.plan.readings[place] ?? null);
        else if (fold(String(fields[name])) !== fold(text))
          this.refuse("second_value", `Another column has the value of ${name} already.`, place);
      }
    return { ...this.spare, ...fields };
  }

  stage(): Stage | null {
    const [first] = this.all("stage");
    if (!first) return null;
    const stage = this.plan.stages.get(first.text.toLowerCase());
    if (stage !== undefined) {
      if (stage === null) this.refuse("no_stage", "Its word sets no stage, as you chose.", first.place);
      return stage;
    }
    if (this.plan.ids) this.refuse("unknown_stage", "No stage is chosen for this word.", first.place);
    else this.keep(first.place, first.text, "unknown_stage", "No stage is chosen for this word");
    return null;
  }
}

const MOST_PROPERTY = 2_000;

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

const withValues = (fields: Record<string, unknown>) =>
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
    ...withValues({ first_name: row.one("first_name", 200), last_name: row.one("last_name", 200) }),
  };
  const label =
    emails[0]?.value ?? ([names.first_name, names.last_name].filter(Boolean).join(" ") || profiles[0]?.value || null);
  const [email, linkedin] = [emails[0], profiles[0]];
  if (!email && !linkedin) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "No e-mail or LinkedIn.",
      column: null,
    });
    return { given: null, label, reasons: row.reasons };
  }
  const company = row.one("company");
  const fields = {
    email: email?.value,
    linkedin_url: linkedin?.value,
    ...names,
    job_title: row.one("job_title"),
    company,
    phone: row.phone(),
    pipeline_stage: row.stage(),
    owner: row.one("owner"),
  };
  const observedAt = row.observedAt(now);
  const { employer, employerMore, isTheirs } = employerIn(row, company, emails);
  const country = row.one("country");
  return {
    given: {
      fields: { ...row.properties(), ...withValues({ ...fields, country }) },
      more: [...emails.slice(1), ...profiles.slice(1)],
      observedAt,
      employer,
      employerMore,
      employs: isTheirs,
      repeats: false,
    },
    label,
    reasons: row.reasons,
  };
}

/**
 * What a row about a person says of their company: of the one that it names by domain or LinkedIn page, else of that of their e-mail's
 * domain, else of the one that it names by its name (`isTheirs`: the row says that they work there). Without any, custom properties of
 * the person keep it.
 */
function employerIn(
  row: RowReader,
  name: string | null,
  emails: readonly Identifier[],
): Pick<GivenRow, "employer" | "employerMore"> & { isTheirs: boolean } {
  const domains = row.named("company_domain", "domain", companyDomain);
  const [page] = row.named("company_linkedin_url", "linkedin_url", companyPage);
  const [own] = domains;
  const [ofEmail] = page ? [] : emails.flatMap(({ value }) => companyDomainOf(value) ?? []);
  const domain = own?.value ?? ofEmail;
  for (const { text, place } of row.all("company_domain"))
    if (own && !valuesIn(text).some((part) => companyDomain(part) === own.value)) row.keepOther(place, text, "");
  const key = domain || page || name === null ? null : normaliseCompanyName(name);
  if (!domain && !page && key === null) {
    for (const field of ["industry", "employees", "company_country"] as const)
      for (const { text, place } of row.all(field)) row.keep(place, text, "no_company", "The row names no company");
    return { employer: null, employerMore: [], isTheirs: false };
  }
  const fields = withValues({
    // A file that Rapport exported has the domain in place of a name that is not known.
    name: name !== null && companyDomain(name) === domain ? null : name,
    industry: row.one("industry", 200),
    employee_count: row.number("employees"),
    country: row.one("company_country", 100),
  });
  const isTheirs = own !== undefined || page !== undefined || key !== null;
  if (!isTheirs && Object.keys(fields).length === 0) return { employer: null, employerMore: [], isTheirs };
  const employerMore: Identifier[] = key === null ? [] : [{ kind: "name", value: key }];
  return { employer: { ...withValues({ domain, linkedin_url: page?.value }), ...fields }, employerMore, isTheirs };
}

/** A row about a company. One without domain and LinkedIn page is found by its name. */
export function companyIn(plan: Plan, cells: readonly Cell[], now: Date): Understood<GivenRow> {
  const row = new RowReader(plan, cells);
  const domains = row.named("company_domain", "domain", companyDomain);
  const pages = row.named("company_linkedin_url", "linkedin_url", companyPage);
  const name = row.one("company");
  const label = name ?? domains[0]?.value ?? pages[0]?.value ?? null;
  const values = withValues({
    domain: domains[0]?.value,
    linkedin_url: pages[0]?.value,
    name,
    industry: row.one("industry", 200),
    employee_count: row.number("employees"),
    country: row.one("country", 100),
    owner: row.one("owner"),
  });
  const observedAt = row.observedAt(now);
  const fields = { ...row.properties(), ...values };
  const rest = { label, reasons: row.reasons };
  const key = domains[0] || pages[0] || name === null ? null : normaliseCompanyName(name);
  if (!domains[0] && !pages[0] && key === null) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "No domain, LinkedIn or name.",
      column: null,
    });
    return { given: null, ...rest };
  }
  const byName: Identifier[] = key === null ? [] : [{ kind: "name", value: key }];
  const more = [...domains.slice(1), ...pages.slice(1), ...byName];
  const ofPeople = { employer: null, employerMore: [], employs: false };
  return { given: { fields, more, observedAt, ...ofPeople, repeats: false }, ...rest };
}

export type GivenNote = {
  /** null: only its id says whose it is */
  named: Identifier | null;
  /** of a note that Rapport exported */
  id: string | null;
  content: string;
  title: string | null;
  date: NoteDate | null;
  type: string | null;
};

/** The contact of a row that is no record itself. A file that Rapport exported has a company's domain in place of an address. */
function subjectIn(row: RowReader, plan: Plan): Identifier | null {
  const exported = plan.ids ? row.all("email").flatMap(({ text }) => companyDomain(text) ?? []) : [];
  const [named = null] = [
    ...exported.map((value): Identifier => ({ kind: "domain", value })),
    ...(exported.length > 0 ? [] : row.named("email", "email", normaliseEmail)),
    ...row.named("linkedin_url", "linkedin_url", normaliseLinkedinUrl),
    ...row.named("company_domain", "domain", companyDomain),
  ];
  return named;
}

/** A row that is a note. */
export function noteIn(plan: Plan, cells: readonly Cell[]): Understood<GivenNote> {
  const row = new RowReader(plan, cells);
  const named = subjectIn(row, plan);
  const title = row.one("title", 200);
  const content = row.one("content", 2_000_000);
  const label = title ?? named?.value ?? null;
  const id = row.one("note_id", 50);
  if (!named && id === null) {
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
    given: { named, id, content, title, date: row.date("date"), type: row.one("type", 50) },
    label,
    reasons: row.reasons,
  };
}

export type GivenActivity = {
  /** null: only its id says whose it is */
  named: Identifier | null;
  /** of a contact who is new */
  name: string | null;
  /** of an activity that Rapport exported */
  id: string | null;
  property: string;
  value: unknown;
  source: string | null;
  externalId: string | null;
  /** null: the moment it is recorded */
  happenedAt: Date | null;
};

/** A row that is an activity. */
export function activityIn(plan: Plan, cells: readonly Cell[]): Understood<GivenActivity> {
  const row = new RowReader(plan, cells);
  const named = subjectIn(row, plan);
  const type = row.one("type", 200);
  const property = eventProperty(row.one("event", 200)) ?? (type === null ? null : activityNamed(type).property);
  const summary = row.one("summary", 2_000);
  const label = summary ?? type;
  const id = row.one("activity_id", 50);
  const skip = (code: string, message: string) => {
    row.reasons.unshift({ code, message, column: null });
    return { given: null, label, reasons: row.reasons };
  };
  if (!named && id === null)
    return skip("no_identifier", "The row does not say which person or company the activity is about.");
  if (property === null) return skip("no_type", "The row does not say what happened.");
  const ownValue = row.one("value", 100_000);
  const metadata = { ...(type === null ? {} : activityNamed(type).metadata), ...row.properties() };
  return {
    given: {
      ...{ named, id, property, name: row.one("name", 400) },
      value: ownValue === null ? valueOfActivity(summary, metadata) : jsonIn(ownValue),
      source: row.one("source", 128),
      externalId: row.one("external_id", 255),
      happenedAt: row.date("date")?.time ?? null,
    },
    label,
    reasons: row.reasons,
  };
}
