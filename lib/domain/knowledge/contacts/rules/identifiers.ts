import { bookkeeping } from "#lib/domain/records/evidence/words.ts";

/** Kinds of identifiers that can be verified. A phone number is a claim. */
export const identifierKinds: readonly string[] = ["email", "linkedin_url", "domain"];

/** The property under which it is recorded that an identifier was checked. An identifier itself is no claim. */
export const propertyOfIdentifier = (kind: string): string => bookkeeping.identifier + kind;
