import { phoneNumber } from "#lib/domain/crm/people/service.ts";
import { type Stage, stages } from "#lib/domain/crm/recording/service.ts";
import { normaliseDomain, normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/records/entities/service.ts";
import { clip } from "#lib/text/clip.ts";
import type { Column, ImportKind } from "../contract.ts";
import { type ImportField, importFields, singleFields } from "../words.ts";
import { activityNamed } from "./activities.ts";
import { fieldNamed, fieldsNamed, normaliseHeader } from "./aliases.ts";
import { dateIn, valueIn, valuesIn } from "./cells.ts";
import { type CountryCode, countryIn } from "./countries.ts";
import { ownExport } from "./own-exports.ts";
import { isReserved, readingOf, spareName } from "./properties.ts";

type Target = Column["to"];

/** What is known of the file beside its cells. */
export type Hints = {
  /** its place writes the day before the month, and a comma before decimals */
  local: boolean;
  /** of telephone numbers without a country code */
  phoneCountry: CountryCode | null;
};

/** A column as it is read, with the values of the first rows. */
type ColumnSample = { place: number; header: string; values: string[]; samples: string[]; filled: number };

/** What one column may be, and how sure that is. */
type Candidate = ColumnSample & { field: ImportField; rank: number; weak: boolean; fits: number; why: string };

const isProfile = (text: string): boolean => normaliseLinkedinUrl(text)?.includes("/in/") ?? false;
const isCompanyPage = (text: string): boolean => /linkedin\.com\/company\//i.test(text);
const isEmail = (text: string): boolean => valuesIn(text).some((part) => normaliseEmail(part) !== null);

/** Which values a field can take at all; a field that is not here takes any. */
const fitting: Partial<Record<ImportField, (text: string) => boolean>> = {
  email: isEmail,
  linkedin_url: isProfile,
  company_domain: (text) =>
    valuesIn(text).some((part) => !/linkedin\.com/i.test(part) && normaliseDomain(part) !== null),
  company_linkedin_url: (text) => /linkedin\.com\//i.test(text),
  date: (text) => dateIn(text) !== null || dateIn(text, "date_day_first") !== null,
  phone: (text) => /\d{4}/.test(text.replaceAll(/\D/g, "")) && !text.includes("@"),
  employees: (text) => /\d/.test(text),
};

const share = (values: readonly string[], fits: (text: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(fits).length / values.length;

const KNOWN_NAME = "The header is a known name for it.";

/**
 * Proposes what each column is, from its header, else from its values among the first rows. Of several columns for a field the fuller one
 * comes first, and the others fill its gaps. What has no field becomes a custom property.
 */
export function proposeMapping(
  kind: ImportKind,
  headers: readonly string[],
  rows: readonly string[][],
  hints: Hints = { local: false, phoneCountry: null },
): Column[] {
  const columns = headers.map((header, place): ColumnSample => {
    const values = rows.flatMap((row) => valueIn(row[place]) ?? []);
    const samples = [...new Set(values)].slice(0, 3).map((text) => clip(text, 100));
    const filled = rows.length === 0 ? 0 : Math.round((values.length / rows.length) * 100) / 100;
    return { place, header: header.replace(/^\uFEFF/, "").trim(), values, samples, filled };
  });
  const own = ownExport(
    kind,
    columns.map(({ header }) => header),
  );
  const chosen = chooseFields(kind, columns, own);
  guessByValues(kind, columns, chosen, own, hints);
  const first = new Map<ImportField, Candidate>();
  for (const candidate of chosen.values()) {
    const best = first.get(candidate.field);
    if (!best || isBetter(candidate, best)) first.set(candidate.field, candidate);
  }
  const taken = new Set<string>();
  return columns.map((column) => {
    const { place, header, samples, filled } = column;
    const candidate = chosen.get(place);
    const { as = null, ...proposed } = candidate
      ? proposalOf(candidate, first.get(candidate.field) ?? candidate, hints)
      : own && (Object.hasOwn(own, header) || header.startsWith("field."))
        ? { to: null, confidence: 0.95, why: "Rapport keeps it itself." }
        : restOf(kind, column, taken, hints);
    return { column: place + 1, header, samples, filled, to: proposed.to, as, proposed };
  });
}

type Own = ReturnType<typeof ownExport>;

/** What the headers say, where the values do not contradict. */
function chooseFields(kind: ImportKind, columns: readonly ColumnSample[], own: Own): Map<number, Candidate> {
  const isOfPerson = columns.some(({ header }) =>
    ["email", "first_name"].includes(fieldNamed("people", header)?.field ?? ""),
  );
  const candidates = columns.flatMap((column): Candidate[] => {
    const { header, values } = column;
    if (/^property\./i.test(header)) return [];
    const ownField = own?.[header];
    if (ownField === null) return [];
    if (kind === "people" && ["title", "titel"].includes(normaliseHeader(header)) && !isOfPerson) return [];
    const named = ownField ? [{ field: ownField, rank: 0, weak: false }] : fieldsNamed(kind, header);
    const possible = named.map((one): Candidate => {
      const fits = share(values, fitting[one.field] ?? (() => true));
      return {
        ...column,
        ...one,
        fits,
        why: values.length === 0 ? `${KNOWN_NAME.slice(0, -1)}; the first rows have no value.` : KNOWN_NAME,
      };
    });
    const [best] = possible
      .filter((one) => ownField || !isWrong(one))
      .sort((a, b) => b.fits - a.fits || a.rank - b.rank);
    return best ? [best] : [];
  });
  const chosen = new Map<number, Candidate>();
  for (const [field, several] of Map.groupBy(candidates, (candidate) => candidate.field)) {
    const [best, ...others] = several.sort((a, b) => (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : a.place - b.place));
    if (!best) continue;
    chosen.set(best.place, best);
    if (singleFields.includes(field)) continue;
    for (const other of others) if (best.weak || !other.weak) chosen.set(other.place, other);
  }
  return chosen;
}

/** A bare `URL` is a profile only when every value is one; of another name most values may be wrong. */
const isWrong = ({ header, fits, values }: Candidate): boolean =>
  values.length > 0 && (normaliseHeader(header) === "url" ? fits < 1 : fits === 0);

function isBetter(a: Candidate, b: Candidate): boolean {
  if ((a.values.length === 0) !== (b.values.length === 0)) return b.values.length === 0;
  if (a.weak !== b.weak) return b.weak;
  if (a.values.length > 0 && Math.abs(a.fits - b.fits) > 0.2) return a.fits > b.fits;
  if (Math.abs(a.filled - b.filled) > 0.1) return a.filled > b.filled;
  return a.rank < b.rank;
}

/** Headers about another person than the record: its owner or creator. */
const OTHERS =
  /owner|manager|assistant|createdby|modifiedby|updatedby|referr|besitz|zustandig|bearbeit|proprietaire|propietario/;

type Guess = {
  field: ImportField;
  is: (text: string, hints: Hints) => boolean;
  why: string;
  /** so many of the values have to be different */
  distinct?: number;
};

const emailGuess: Guess = { field: "email", is: isEmail, why: "The values are e-mail addresses.", distinct: 0.5 };
const profileGuess: Guess = { field: "linkedin_url", is: isProfile, why: "The values are LinkedIn profiles." };
const pageGuess: Guess = {
  field: "company_linkedin_url",
  is: isCompanyPage,
  why: "The values are LinkedIn pages of companies.",
};
const domainGuess: Guess = {
  field: "company_domain",
  is: (text) =>
    /^(https?:\/\/)?[^\s/@]+\.[a-z]{2,}\/?$/i.test(text) && !isCompanyPage(text) && normaliseDomain(text) !== null,
  why: "The values are websites.",
};
const phoneGuess: Guess = {
  field: "phone",
  is: (text, { phoneCountry }) =>
    /^[+(0][\d ()/.-]{6,}$/.test(text) &&
    /^(\+|00)|[ ()/-]/.test(text) &&
    dateIn(text) === null &&
    (phoneNumber(text, phoneCountry) !== null || !/^(\+|00)/.test(text)),
  why: "The values are telephone numbers.",
};
const countryGuess: Guess = {
  field: "country",
  is: (text) => countryIn(text) !== null,
  why: "The values are countries.",
};

const guesses: Readonly<Record<ImportKind, readonly Guess[]>> = {
  people: [emailGuess, profileGuess, pageGuess, domainGuess, phoneGuess, countryGuess],
  companies: [pageGuess, domainGuess, countryGuess],
  notes: [
    emailGuess,
    profileGuess,
    domainGuess,
    { field: "date", is: (text) => dateIn(text, "date_day_first") !== null, why: "The values are dates." },
    { field: "content", is: (text) => text.length > 60, why: "It has the longest texts." },
  ],
  activities: [
    emailGuess,
    profileGuess,
    domainGuess,
    {
      field: "type",
      is: (text) => activityNamed(text).type !== "custom",
      why: "The values are types of activities.",
    },
    { field: "date", is: (text) => dateIn(text, "date_day_first") !== null, why: "The values are dates." },
  ],
};

const MOST_FIT = 0.8;

/** What the values say of fields that no header names. */
function guessByValues(
  kind: ImportKind,
  columns: readonly ColumnSample[],
  chosen: Map<number, Candidate>,
  own: Own,
  hints: Hints,
): void {
  for (const { field, is, why, distinct = 0 } of guesses[kind]) {
    if ([...chosen.values()].some((one) => one.field === field && one.values.length > 0)) continue;
    const [best] = columns
      .filter(({ place, header, values }) => {
        const name = normaliseHeader(header);
        const isFree = !chosen.has(place) && !(own && Object.hasOwn(own, header)) && !/^property\./i.test(header);
        return isFree && values.length > 0 && !OTHERS.test(name) && new Set(values).size >= values.length * distinct;
      })
      .map((column) => ({ column, fits: share(column.values, (text) => is(text, hints)) }))
      .filter(({ fits }) => fits >= MOST_FIT)
      .sort((a, b) => b.fits - a.fits || b.column.filled - a.column.filled);
    if (best) chosen.set(best.column.place, { ...best.column, field, rank: 1_000, weak: false, fits: best.fits, why });
  }
}

type Proposal = Column["proposed"] & { as?: Column["as"] };

function proposalOf(candidate: Candidate, first: Candidate, hints: Hints): Proposal {
  const { field, fits, values, header, rank, place } = candidate;
  const to: Target = field;
  if (field === "stage") return { to, confidence: 0.6, why: "It looks like a stage. Choose a stage for each word." };
  const sure = values.length === 0 ? 0.7 : Math.round((rank >= 1_000 ? 0.8 : 0.5 + 0.48 * fits) * 100) / 100;
  const typed = ["date", "observed_at"].includes(field) ? readingOf(header, values, hints.local) : null;
  const dated = typed?.reading.startsWith("date") ? { as: typed.reading } : {};
  if (first.place !== place) {
    const why = `It fills the gaps of column ${first.place + 1} (${first.header}).`;
    return { to, confidence: Math.min(sure, 0.9), why, ...dated };
  }
  return { to, confidence: sure, why: candidate.why, ...dated };
}

/** A column that is no field. */
function restOf(kind: ImportKind, { place, header, values }: ColumnSample, taken: Set<string>, hints: Hints): Proposal {
  if (kind === "notes") return { to: null, confidence: 0.5, why: "Notes have no field for it." };
  if (header === "" && values.length === 0)
    return { to: null, confidence: 0.9, why: "It has no header and no values." };
  const { reading, why, currency } = readingOf(header, values, hints.local);
  const named =
    currency !== null && !normaliseHeader(header).includes(currency)
      ? `${header.replaceAll(/[€$£¥₹]/g, "")} ${currency}`
      : header;
  const isOwn = /^property\./i.test(header);
  const name = spareName(kind, named, place + 1, taken);
  const what = isOwn
    ? "A custom property."
    : kind === "activities"
      ? "It matches no field, so the activity keeps it as metadata."
      : "It matches no field, so it becomes a custom property.";
  return {
    to: `property.${name}` as Target,
    as: reading,
    confidence: isOwn ? 0.98 : 0.8,
    why: why === null ? what : `${what} ${why}`,
  };
}

const meant: Readonly<Record<string, Stage>> = {
  subscriber: "identified",
  new: "identified",
  cold: "identified",
  lead: "identified",
  prospect: "identified",
  opportunity: "evaluating",
  customer: "client",
};

/** The stage a word of another tool probably means; proposed, and never set without being asked. */
export const stageMeant = (word: string): Stage | null => {
  const name = word.trim().toLowerCase();
  return stages.find((stage) => stage === name) ?? meant[name] ?? null;
};

/** Why a file cannot be imported with this mapping; null when it can. */
export function mappingProblem(
  kind: ImportKind,
  columns: readonly Pick<Column, "to" | "header" | "column">[],
): string | null {
  const taken = new Map<string, number>();
  for (const { to, column } of columns) {
    if (to === null) continue;
    const allowed = to.startsWith("property.")
      ? kind !== "notes"
      : (importFields[kind] as readonly string[]).includes(to);
    if (!allowed) return `Column ${column}: a file of ${kind} has no field ${to}.`;
    if (to.startsWith("property.") && isReserved(kind, to.slice("property.".length)))
      return `Column ${column}: ${to} is the name of a field; choose another, such as ${to}_text.`;
    const other = taken.get(to);
    if (other !== undefined && singleFields.includes(to))
      return `Columns ${other} and ${column} are both ${to}; choose one.`;
    taken.set(to, column);
  }
  const needed = {
    people: ["email", "linkedin_url"],
    companies: ["company_domain", "company_linkedin_url", "company"],
    notes: ["email", "linkedin_url", "company_domain"],
    activities: ["email", "linkedin_url", "company_domain"],
  }[kind];
  if (!needed.some((field) => taken.has(field))) {
    const one = { notes: "a note", activities: "an activity", people: null, companies: null }[kind];
    const problem =
      one !== null
        ? `No column says which person or company ${one} is about: choose one for ${needed.join(", ").replace(/, (?=[^,]*$)/, " or ")}.`
        : `No column names the records: choose one for ${needed.join(" or ")}.`;
    return `${problem} The file has ${headersOf(columns)}.`;
  }
  if (kind === "notes" && !taken.has("content"))
    return "No column holds the text of the notes: choose one for content.";
  return kind === "activities" && !taken.has("type")
    ? "No column says what happened: choose one for type, such as email_sent or call."
    : null;
}

const MOST_HEADERS = 8;

/** What was read, in a sentence. */
function headersOf(columns: readonly Pick<Column, "header" | "column">[]): string {
  const names = columns.map(({ header, column }) => (header.trim() === "" ? `column ${column}` : header));
  const shown = names.slice(0, MOST_HEADERS).join(", ");
  return names.length > MOST_HEADERS ? `${shown} and ${names.length - MOST_HEADERS} more columns` : shown;
}

/** What else the rows of a file may be, when it names no records of the kind that was asked for. */
export function otherKind(kind: ImportKind, headers: readonly string[], rows: readonly string[][]): ImportKind | null {
  const others = (["people", "notes", "activities", "companies"] as const).filter((other) => other !== kind);
  return others.find((other) => mappingProblem(other, proposeMapping(other, headers, rows)) === null) ?? null;
}

/** Fields that identify the record of a row. */
const naming: readonly string[] = [
  ...["email", "linkedin_url", "first_name", "last_name", "name"],
  ...["company", "company_domain", "company_linkedin_url"],
];

/**
 * Whether the rows of a file of people are rather what happened with them: people have no more fields in it than names, activities have
 * a date, and most rows say a type that there is.
 */
export function areActivities(
  kind: ImportKind,
  columns: readonly Pick<Column, "to">[],
  headers: readonly string[],
  rows: readonly string[][],
): boolean {
  if (kind !== "people") return false;
  if (columns.some(({ to }) => to !== null && !to.startsWith("property.") && !naming.includes(to))) return false;
  const mapped = proposeMapping("activities", headers, rows);
  const type = mapped.findIndex(({ to }) => to === "type");
  if (type < 0 || !mapped.some(({ to }) => to === "date")) return false;
  const types = rows.flatMap((row) => row[type]?.trim() || []);
  return types.length > 0 && types.filter((text) => activityNamed(text).type !== "custom").length * 2 > types.length;
}
