/**
 * Text in the form that search compares: lower-case, without accents, white space collapsed. Folding twice changes
 * nothing.
 */
export const fold = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().normalize("NFKC").replace(/\s+/g, " ").trim();
