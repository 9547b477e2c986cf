import { counted } from "#components/ui/numbers.ts";
import type { Belongings } from "#lib/domain/access/members/contract.ts";

/** What someone owns in words, such as "12 people", each with the path of the list of them where there is one. `owner`: their address. */
export const ownedWords = (
  { people = 0, companies = 0, tasks = 0, api_keys: keys = 0 }: Partial<Belongings>,
  owner = "",
): { words: string; path: string | null }[] => {
  const theirs = new URLSearchParams({ owner });
  return [
    people > 0 ? { words: counted(people, "person", "people"), path: `/people?${theirs}` } : [],
    companies > 0 ? { words: counted(companies, "company", "companies"), path: `/companies?${theirs}` } : [],
    tasks > 0 ? { words: counted(tasks, "open task"), path: null } : [],
    keys > 0 ? { words: counted(keys, "API key"), path: "/api-keys" } : [],
  ].flat();
};
