import { wordsOf } from "#components/records/names.ts";
import type { Column, ImportKind } from "#lib/domain/workspace/imports/contract.ts";
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
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const name = plain
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 63)
    .replace(/_+$/, "");
  return name === "" ? null : (`${PROPERTY}${name}` as NonNullable<Target>);
}

/** Fields that several columns can fill. */
const several: readonly string[] = ["email", "phone"];

type Chosen = Pick<Column, "column" | "header" | "to">;

/** The columns that share one target although only one may have it, by column. */
export function clashesOf(columns: readonly Chosen[]): ReadonlyMap<number, readonly Chosen[]> {
  const byTarget = Map.groupBy(columns, ({ to }) => to);
  const clashes = new Map<number, readonly Chosen[]>();
  for (const [target, members] of byTarget) {
    if (target === null || members.length < 2 || several.includes(target)) continue;
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
};

/** Why the file cannot be imported with these choices, in one sentence; null when it can. */
export function mappingProblem(kind: ImportKind, columns: readonly Chosen[]): string | null {
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
    return `No column says which ${kind === "notes" ? "person or company a note belongs to" : `of your ${kindLabels[kind].toLowerCase()} a row is about`}: choose ${choices} for one.`;
  }
  return kind === "notes" && !taken.has("content") ? "No column holds the text of the notes: choose one." : null;
}

/** What a column is called: its header, else its position. */
export const nameOf = ({ header, column }: Pick<Column, "header" | "column">): string =>
  header.trim() === "" ? `Column ${column}` : `“${header}”`;

/** The columns that nothing was found for, each as a custom property of its own. */
export function restAsProperties(columns: readonly Column[]): ReadonlyMap<number, NonNullable<Target>> {
  const taken = new Set<string>(columns.flatMap(({ to }) => to ?? []));
  const chosen = new Map<number, NonNullable<Target>>();
  for (const { column, header, to, filled, proposed } of columns) {
    const target = propertyTarget(header);
    // A column that was found to be something else, such as the status of an address, is left out on purpose.
    if (to !== null || filled === 0 || proposed.confidence > 0.5 || target === null || taken.has(target)) continue;
    taken.add(target);
    chosen.set(column, target);
  }
  return chosen;
}
