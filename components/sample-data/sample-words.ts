import type { z } from "zod";
import { counted, listed } from "#components/ui/numbers.ts";
import type { getSampleData } from "#lib/domain/workspace/sample-data/contract.ts";

type Sample = Pick<
  z.output<typeof getSampleData.output>,
  "people" | "companies" | "notes" | "lead_lists" | "facts" | "kept" | "own"
>;

const some = (count: number, one: string, many: string): string[] => (count > 0 ? [counted(count, one, many)] : []);

/** What removing the sample takes away. */
export function goesOf({ people, companies, notes, lead_lists, facts }: Sample): string {
  const parts = [
    ...some(people, "person", "people"),
    ...some(companies, "company", "companies"),
    ...some(notes, "note", "notes"),
    ...some(lead_lists, "lead list", "lead lists"),
    ...some(facts, "entry of the GTM profile", "entries of the GTM profile"),
  ];
  return `Removed for good: ${listed(parts)}, with their activity and scores.`;
}

/** What stays: the workspace's own, and sample records that someone has worked with. */
export function staysOf({ kept, own }: Sample): string {
  const parts = [
    ...some(own.people, "person of your own", "people of your own"),
    ...some(own.companies, "company of your own", "companies of your own"),
    ...some(
      kept,
      "sample record with notes or activity that you added",
      "sample records with notes or activity that you added",
    ),
  ];
  return parts.length > 0 ? `Stays: ${listed(parts)}.` : "You have no people or companies of your own yet.";
}
