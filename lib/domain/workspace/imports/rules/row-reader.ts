import { phoneNumber } from "#lib/domain/crm/people/service.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import type { NoteDate } from "#lib/domain/knowledge/notes/service.ts";
import {
  companyDomain,
  type Identifier,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "#lib/domain/records/entities/service.ts";
import { fold } from "#lib/text/fold.ts";
import type { ImportField } from "../words.ts";
import { type Cell, countIn, dateIn, typedIn, valueIn, valuesIn } from "./cells.ts";
import { countryIn } from "./countries.ts";
import type { Plan } from "./plan.ts";
import type { RowReason } from "./progress.ts";

/** A row as it is understood. `given` is null when it names no record. */
export type Understood<T> = { given: T | null; label: string | null; reasons: RowReason[] };

/** Reads the cells of one row by the plan, and notes what it cannot use. */
export class RowReader {
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
    const name = this.plan.spareAt(place);
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
    const name = this.plan.spareAt(place);
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

  /** The contact of a row that is no record itself. A file that Rapport exported has a company's domain in place of an address. */
  subject(): Identifier | null {
    const exported = this.plan.ids ? this.all("email").flatMap(({ text }) => companyDomain(text) ?? []) : [];
    const [named = null] = [
      ...exported.map((value): Identifier => ({ kind: "domain", value })),
      ...(exported.length > 0 ? [] : this.named("email", "email", normaliseEmail)),
      ...this.named("linkedin_url", "linkedin_url", normaliseLinkedinUrl),
      ...this.named("company_domain", "domain", companyDomain),
    ];
    return named;
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

/** A LinkedIn address of this kind of page, normalised. */
export function pageUnder(path: "/in/" | "/company/", text: string): string | null {
  const url = normaliseLinkedinUrl(text);
  return url?.includes(path) ? url : null;
}

/** The fields that have a value. */
export const withValues = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
