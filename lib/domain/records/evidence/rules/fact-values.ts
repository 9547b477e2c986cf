import { z } from "zod";
import { isUuid } from "#lib/core/ids.ts";

/** Longest content of a fact, in UTF-16 code units. */
const MAX_CONTENT = 10_000;
const MAX_CATEGORY = 64;

const Category = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CATEGORY)
  .regex(/^[^,\p{Cc}]+$/u, "must not hold commas or control characters");

/** The value of a `note.<uuid>` observation as callers write it. */
export const FactValueInput = z.strictObject({
  category: Category.default("Notes"),
  content: z
    .string()
    .max(MAX_CONTENT)
    .refine((text) => text.trim() !== ""),
});

/** The value of a `note.<uuid>` observation as it is stored; `supersedes` names the fact it replaced. */
export type FactValue = z.output<typeof FactValueInput> & { supersedes?: string };

const PREFIX = "note.";
export const FACT_PREFIX = PREFIX;

/** The property a fact is kept under. */
export const propertyOfFact = (id: string): string => `${PREFIX}${id}`;

/** The canonical form of a `note.<uuid>` property; null for any other property. */
export function factProperty(property: string): string | null {
  const id = property.slice(PREFIX.length).toLowerCase();
  return property.slice(0, PREFIX.length).toLowerCase() === PREFIX && isUuid(id) ? propertyOfFact(id) : null;
}

/** The fact's id in its property. */
export const factIdOf = (property: string): string => property.slice(PREFIX.length);

/** The stored value of a fact; null when the property is not a fact's. */
export function factOf(property: string, value: unknown): FactValue | null {
  return factProperty(property) !== null && typeof value === "object" && value !== null && "content" in value
    ? (value as FactValue)
    : null;
}
