import { type Stage, stages } from "#lib/domain/crm/recording/service.ts";
import { normaliseDomain, normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/records/entities/service.ts";
import type { Column, ImportKind } from "../contract.ts";
import { type ImportField, importFields } from "../words.ts";
import { fieldNamed, normaliseHeader } from "./aliases.ts";
import { dateIn, valueIn, valuesIn } from "./cells.ts";

type Target = Column["to"];

/** What one field may be proposed for, and how sure that is. */
type Candidate = { place: number; field: ImportField; rank: number; fits: number; values: number };

const isProfile = (text: string): boolean => normaliseLinkedinUrl(text)?.includes("/in/") ?? false;

/** Which values a field can take at all; a field that is not here takes any. */
const fitting: Partial<Record<ImportField, (text: string) => boolean>> = {
  email: (text) => valuesIn(text).some((part) => normaliseEmail(part) !== null),
  linkedin_url: isProfile,
  company_domain: (text) => valuesIn(text).some((part) => normaliseDomain(part) !== null),
  company_linkedin_url: (text) => /linkedin\.com\//i.test(text),
  date: (text) => dateIn(text) !== null,
};

const KNOWN_NAME = "The header is a known name for it.";

/** Headers that look like a field and are not. */
const never: readonly (readonly [header: RegExp, why: string])[] = [
  [
    /^email(status|confidence|source|sent|open|bounced)|validateemail/,
    "It says something of the address, and is not one.",
  ],
  [/uniqueid/, "It is an id that opens no public profile."],
];

/**
 * Proposes what each column is, from its header and its values among the first rows. One column for a field: the one with
 * the better name whose values fit.
 */
export function proposeMapping(kind: ImportKind, headers: readonly string[], rows: readonly string[][]): Column[] {
  const columns = headers.map((header, place) => {
    const values = rows.flatMap((row) => valueIn(row[place]) ?? []);
    const samples = [...new Set(values)]
      .slice(0, 3)
      .map((text) => (text.length > 100 ? `${text.slice(0, 99)}…` : text));
    const filled = rows.length === 0 ? 0 : Math.round((values.length / rows.length) * 100) / 100;
    return { place, header: header.replace(/^\uFEFF/, "").trim(), values, samples, filled };
  });
  const isOfPerson = headers.some((header) =>
    ["email", "first_name"].includes(fieldNamed("people", header)?.field ?? ""),
  );
  const candidates = columns.flatMap(({ place, header, values }): Candidate[] => {
    const named = fieldNamed(kind, header);
    if (!named || (kind === "people" && normaliseHeader(header) === "title" && !isOfPerson)) return [];
    const fits = values.length === 0 ? 0 : values.filter(fitting[named.field] ?? (() => true)).length / values.length;
    return [{ ...named, place, fits, values: values.length }];
  });
  const chosen = new Map<ImportField, Candidate>();
  for (const candidate of candidates) {
    const best = chosen.get(candidate.field);
    if (!isWrong(candidate, headers) && (!best || isBetter(candidate, best))) chosen.set(candidate.field, candidate);
  }
  const first = new Map<string, number>();
  return columns.map(({ place, header, samples, filled }) => {
    const name = normaliseHeader(header);
    const twin = first.get(name);
    if (twin === undefined) first.set(name, place);
    const candidate = candidates.find((one) => one.place === place);
    const winner = candidate && chosen.get(candidate.field);
    const proposed =
      candidate && winner === candidate
        ? { to: candidate.field as Target, confidence: confidenceOf(candidate), why: whyOf(candidate) }
        : { to: null, ...whyNot({ name, twin, candidate, winner, headers }) };
    return { column: place + 1, header, samples, filled, to: proposed.to, proposed };
  });
}

/** A bare `URL` is a profile only when every value is one. */
const isWrong = ({ place, fits, values }: Candidate, headers: readonly string[]): boolean =>
  values > 0 && (normaliseHeader(headers[place] as string) === "url" ? fits < 1 : fits === 0);

function isBetter(a: Candidate, b: Candidate): boolean {
  if ((a.values === 0) !== (b.values === 0)) return b.values === 0;
  if (a.values > 0 && Math.abs(a.fits - b.fits) > 0.2) return a.fits > b.fits;
  return a.rank < b.rank;
}

const confidenceOf = ({ fits, values, field }: Candidate): number =>
  field === "stage" ? 0.6 : values === 0 ? 0.7 : Math.round((0.5 + 0.48 * fits) * 100) / 100;

const whyOf = ({ field, values }: Candidate): string =>
  field === "stage"
    ? "It looks like a stage. Its words set one only where you say which."
    : values === 0
      ? "The header is a known name for it; the first rows have no value."
      : KNOWN_NAME;

type Rest = {
  name: string;
  twin: number | undefined;
  candidate: Candidate | undefined;
  winner: Candidate | undefined;
  headers: readonly string[];
};

function whyNot({ name, twin, candidate, winner, headers }: Rest): { confidence: number; why: string } {
  if (candidate && !winner)
    return { confidence: 0.9, why: `The header says ${candidate.field}, but the values do not look like it.` };
  if (twin !== undefined) return { confidence: 0.9, why: `Column ${twin + 1} has the same header.` };
  if (winner)
    return {
      confidence: 0.8,
      why: `Column ${winner.place + 1} (${headers[winner.place]}) is ${winner.field} already.`,
    };
  const [, why] = never.find(([pattern]) => pattern.test(name)) ?? [];
  return why
    ? { confidence: 0.95, why }
    : { confidence: 0.5, why: "No known header. It can become a custom property." };
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
  const several: readonly string[] = ["email", "phone"];
  const taken = new Map<string, number>();
  for (const { to, column } of columns) {
    if (to === null) continue;
    const allowed = to.startsWith("property.")
      ? kind !== "notes"
      : (importFields[kind] as readonly string[]).includes(to);
    if (!allowed) return `Column ${column}: a file of ${kind} has no field ${to}.`;
    const other = taken.get(to);
    if (other !== undefined && !several.includes(to))
      return `Columns ${other} and ${column} are both ${to}; choose one.`;
    taken.set(to, column);
  }
  const needed = {
    people: ["email", "linkedin_url"],
    companies: ["company_domain", "company_linkedin_url", "company"],
    notes: ["email", "linkedin_url", "company_domain"],
  }[kind];
  if (!needed.some((field) => taken.has(field)))
    return kind === "notes"
      ? "No column says which person or company a note is about: choose one for email, linkedin_url or company_domain."
      : `No column names the records: choose one for ${needed.join(" or ")}.`;
  return kind === "notes" && !taken.has("content")
    ? "No column holds the text of the notes: choose one for content."
    : null;
}
