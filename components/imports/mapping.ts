import { wordsOf } from "#components/records/names.ts";
import type { Column, ImportKind } from "#lib/domain/workspace/imports/contract.ts";
import { propertyName, singleFields } from "#lib/domain/workspace/imports/words.ts";
import { fieldLabels, joined, kindLabels } from "./words.ts";

export type Target = Column["to"];

const PROPERTY = "property.";

export const isProperty = (target: string): boolean => target.startsWith(PROPERTY);

/** Notes have no properties of their own. */
export const takesProperties = (kind: ImportKind): boolean => kind !== "notes";

/** A target in words; null is a column that is left out. */
export function targetLabel(target: Target): string {
  if (target === null) return "Left out";
  return isProperty(target) ? wordsOf(target.slice(PROPERTY.length)) : (fieldLabels[target] ?? target);
}

/** `Deal size (€)` as `property.deal_size`; null when nothing of it can be a name. */
export function propertyTarget(text: string): NonNullable<Target> | null {
  const name = propertyName(text);
  return name === null ? null : (`${PROPERTY}${name}` as NonNullable<Target>);
}

type MappedColumn = Pick<Column, "column" | "header" | "to">;

/** Whether the cells of a column can be read in several ways: those of custom properties and dates. */
export const isReadable = (target: Target): boolean =>
  target !== null && (isProperty(target) || target === "date" || target === "observed_at");

/** The columns that share one target although only one may have it, by column. */
export function clashesOf(columns: readonly MappedColumn[]): ReadonlyMap<number, readonly MappedColumn[]> {
  const byTarget = Map.groupBy(columns, ({ to }) => to);
  const clashes = new Map<number, readonly MappedColumn[]>();
  for (const [target, members] of byTarget) {
    if (target === null || members.length < 2 || !singleFields.includes(target)) continue;
    for (const { column } of members)
      clashes.set(
        column,
        members.filter((other) => other.column !== column),
      );
  }
  return clashes;
}

/** Any one of these says which record a row is about. */
const identifiers: Readonly<Record<ImportKind, readonly NonNullable<Target>[]>> = {
  people: ["email", "linkedin_url"],
  companies: ["company_domain", "company_linkedin_url", "company"],
  notes: ["email", "linkedin_url", "company_domain"],
  activities: ["email", "linkedin_url", "company_domain"],
};

/** Why the file cannot be imported with these choices, in one sentence; null when it can. */
export function mappingProblem(kind: ImportKind, columns: readonly MappedColumn[]): string | null {
  const taken = new Set(columns.map(({ to }) => to));
  const [clash] = clashesOf(columns);
  if (clash) {
    const own = columns.find(({ column }) => column === clash[0]);
    const names = [own, ...clash[1]].flatMap((each) => (each ? [nameOf(each)] : []));
    return `${joined(names)} are ${names.length === 2 ? "both" : "all"} imported as ${targetLabel(own?.to ?? null)}; choose one.`;
  }
  const needed = identifiers[kind];
  if (!needed.some((field) => taken.has(field))) {
    const labels = needed.map((field) => fieldLabels[field] ?? field);
    const choices = `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;
    const ones = { notes: "a note", activities: "an activity", people: null, companies: null }[kind];
    return `No column says which ${ones ? `person or company ${ones} belongs to` : `of your ${kindLabels[kind].toLowerCase()} a row is about`}: choose ${choices} for one.`;
  }
  if (kind === "notes" && !taken.has("content")) return "No column holds the text of the notes: choose one.";
  return kind === "activities" && !taken.has("type") ? "No column says what happened: choose one for Type." : null;
}

/** What a column is called: its header, else its position. */
export const nameOf = ({ header, column }: Pick<Column, "header" | "column">): string =>
  header.trim() === "" ? `Column ${column}` : `“${header}”`;

/** The columns that become custom properties although no one chose that: each with nothing in its place. */
export const proposedProperties = (columns: readonly Column[]): ReadonlyMap<number, Target> =>
  new Map(
    columns.flatMap(({ column, header, to, proposed }) =>
      to !== null && isProperty(to) && to === proposed.to && !isProperty(header.toLowerCase()) ? [[column, null]] : [],
    ),
  );
