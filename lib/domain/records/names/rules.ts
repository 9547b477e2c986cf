import { fold } from "#lib/text/fold.ts";

/** Where an entity's name comes from: rows of the lists, or claims of an earlier moment. */
export type Naming = {
  firstName?: string | null;
  lastName?: string | null;
  /** a company's or the workspace's name */
  name?: string | null;
  email?: string | null;
  domain?: string | null;
  linkedinUrl?: string | null;
};

const filled = (parts: readonly (string | null | undefined)[], separator: string): string =>
  parts.filter((part) => part !== null && part !== undefined && part.trim() !== "").join(separator);

/** What the person or company is called, else the identifier it is known by; null for neither. */
export const knownName = (naming: Naming): string | null =>
  filled([naming.firstName, naming.lastName], " ") ||
  ([naming.name, naming.email, naming.domain, naming.linkedinUrl].find((part) => part?.trim()) ?? null);

/** The name to show. */
export const nameOf = (naming: Naming): string => knownName(naming) ?? "Unnamed";

/** One line that tells people of the same name apart. */
export const detailOf = (person: {
  jobTitle?: string | null;
  company?: string | null;
  reach?: string | null;
}): string => filled([filled([person.jobTitle, person.company], " at "), person.reach], " · ");

/** Patterns for `search LIKE`, from the surest to the loosest; the columns hold folded lines (see `personRow`, `companyRow`). */
export type NamePatterns = { person: string; company: string };

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** Matches rows whose whole name is `text`, case and accents aside. Null when nothing is left to compare. */
export function exactName(text: string): NamePatterns | null {
  const name = literal(fold(text));
  return name === "" ? null : { person: `%\n${name}\n%`, company: `${name}\n%` };
}

/** Matches rows whose name holds `text`; null for less than three characters, which would match almost everyone. */
export function partOfName(text: string): NamePatterns | null {
  const folded = fold(text);
  return [...folded].length < 3 ? null : { person: `%${literal(folded)}%`, company: `%${literal(folded)}%` };
}

/** The names in which a word begins with `text`; all of them when there are none. */
export function closest<N extends { name: string }>(text: string, named: readonly N[]): readonly N[] {
  const wanted = fold(text);
  const starting = named.filter(({ name }) => ` ${fold(name)}`.includes(` ${wanted}`));
  return starting.length > 0 ? starting : named;
}

/** `Anna at Acme`, `Anna (Acme)`, `Anna, Acme`: patterns of the name and of the company; null when the text names no company. */
export function nameAtCompany(text: string): { name: string; company: string } | null {
  const parts = /^(.+?)(?:\s+(?:at|from|of|@|bei|von)\s+|\s*,\s*|\s*\()(.+?)\)?$/i.exec(text.trim());
  const [name, company] = [literal(fold(parts?.[1] ?? "")), literal(fold(parts?.[2] ?? ""))];
  return name.length < 2 || company.length < 2 ? null : { name: `%${name}%`, company: `%${company}%` };
}

/** Parts of addresses that say nothing about who is meant. */
const COMMON = new Set(["www", "http", "https", "com", "org", "net", "linkedin", "company", "the", "and"]);

/** A regular expression for the first `length` characters of each telling word of a text; null when there is none. */
export function beginningsOf(text: string, length: number): string | null {
  const words = (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= length && !COMMON.has(word),
  );
  const beginnings = [...new Set(words.map((word) => [...word].slice(0, length).join("")))].slice(0, 4);
  return beginnings.length === 0 ? null : `\\m(${beginnings.join("|")})`;
}
