import type { Identifier } from "#lib/domain/records/entities/service.ts";

/** A company of that name, with an identifier by which it is found. */
export type Namesake = Identifier & { domain: string | null };

/**
 * The identifier of the company that a row means which says no more than a name: of the only one that is called so, else of the only one
 * among them without a domain; of a new one if none is called so. Null: it could be any of several.
 */
export function companyMeant(name: string, namesakes: readonly Namesake[]): Identifier | null {
  const byName: Identifier = { kind: "name", value: name };
  if (namesakes.length === 0) return byName;
  const without = namesakes.filter(({ domain }) => domain === null);
  const [only] = namesakes.length === 1 ? namesakes : without.length === 1 ? without : [];
  if (only) return { kind: only.kind, value: only.value };
  return without.some(({ kind, value }) => kind === "name" && value === name) ? byName : null;
}
