import { reservedForCompanies, reservedForPeople } from "#lib/domain/crm/people/contract.ts";
import type { ImportKind } from "../contract.ts";
import { propertyName } from "../words.ts";

const reserved: Readonly<Record<ImportKind, ReadonlySet<string>>> = {
  people: new Set([...reservedForPeople, "stage", "phone_number"]),
  companies: new Set(reservedForCompanies),
  notes: new Set(),
  activities: new Set(),
};

/** Whether a record of this kind cannot have a custom property of this name; an owner is set by it. */
export const isReserved = (kind: ImportKind, name: string): boolean => name !== "owner" && reserved[kind].has(name);

const FIRST = "property.";
const MOST = 63;

/**
 * The name of the custom property that holds what a column says: after its header, with `_text` where that is a field's name, and a number
 * where another column has it. `taken` gets it.
 */
export function spareName(kind: ImportKind, header: string, column: number, taken: Set<string>): string {
  const plain = header.trim().toLowerCase().startsWith(FIRST) ? header.trim().slice(FIRST.length) : header;
  const own = propertyName(plain) ?? `column_${column}`;
  const base = reserved[kind].has(own) ? `${own.slice(0, MOST - 5)}_text` : own;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base.slice(0, MOST - 4)}_${number}`;
  taken.add(name);
  return name;
}
