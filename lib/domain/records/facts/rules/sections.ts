import { z } from "zod";

/** The sections an API caller may write, in the order the tab shows them. */
export const sections = [
  "ICP",
  "Market",
  "Product",
  "Pricing",
  "Competitors",
  "Positioning",
  "GTM Motion",
  "Notes",
] as const;
export const Section = z.enum(sections);
export type Section = z.output<typeof Section>;

/** Sections whose current facts the ICP scoring model is built from. */
export const scoringSections: readonly string[] = ["ICP", "Market", "Product", "Pricing", "Competitors", "Positioning"];
