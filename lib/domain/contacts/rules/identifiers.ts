/** Kinds of identifiers that can be verified. A phone number is a claim. */
export const identifierKinds: readonly string[] = ["email", "linkedin_url", "domain"];

const PREFIX = "identifier.";

/** The property under which it is recorded that an identifier was checked. An identifier itself is no claim. */
export const propertyOfIdentifier = (kind: string): string => PREFIX + kind;

/** True for a property that says of an identifier when it was checked. */
export const isAboutIdentifier = (property: string): boolean => property.startsWith(PREFIX);
