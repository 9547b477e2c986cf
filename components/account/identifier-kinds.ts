import type { IdentifierKind } from "./calls.ts";

/** Whether a property is a kind of address, of which a record may have several. */
export const isIdentifierKind = (name: string): name is IdentifierKind =>
  name === "email" || name === "linkedin_url" || name === "domain";
