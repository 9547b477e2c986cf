import type { z } from "zod";
import { listed, numeral } from "#components/ui/numbers.ts";
import type { getSampleData } from "#lib/domain/workspace/sample-data/contract.ts";

type Sample = Pick<
  z.output<typeof getSampleData.output>,
  "people" | "companies" | "notes" | "lead_lists" | "facts" | "kept" | "own"
>;

const counted = (count: number, one: string, many: string): string[] =>
  count > 0 ? [`${numeral(count)} ${count === 1 ? one : many}`] : [];

/** What removing the sample takes away. */
export function goesOf({ people, companies, notes, lead_lists, facts }: Sample): string {
  const parts = [
    ...counted(people, "person", "people"),
    ...counted(companies, "company", "companies"),
    ...counted(notes, "note", "notes"),
    ...counted(lead_lists, "lead list", "lead lists"),
    ...counted(facts, "entry of the GTM profile", "entries of the GTM profile"),
  ];
  return `Removed for good: ${listed(parts)}, with their activity and scores.`;
}

/** What stays: the workspace's own, and sample records that someone has worked with. */
export function staysOf({ kept, own }: Sample): string {
  const parts = [
    ...counted(own.people, "person of your own", "people of your own"),
    ...counted(own.companies, "company of your own", "companies of your own"),
    ...counted(
      kept,
      "sample record with notes or activity that you added",
      "sample records with notes or activity that you added",
    ),
  ];
  return parts.length > 0 ? `Stays: ${listed(parts)}.` : "You have no people or companies of your own yet.";
}
