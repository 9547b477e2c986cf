import { shortLinkedin } from "#components/records/names.ts";
import type { Lead } from "./calls.ts";

/** What a lead is called. */
export const leadName = ({ name, email, linkedin_url }: Pick<Lead, "name" | "email" | "linkedin_url">): string =>
  name || email || shortLinkedin(linkedin_url) || "Unnamed";

/** A score of 0 to 1 as a whole number of 0 to 100. */
export const scoreOf = (score: number | null): number | null => (score === null ? null : Math.round(score * 100));
