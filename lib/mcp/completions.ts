import type { Caller } from "#lib/core/context.ts";
import { together } from "#lib/core/together.ts";
import { listCompanies, listPeople } from "#lib/domain/crm/people/service.ts";

const MOST = 20;
const NONE = { values: [] as string[], hasMore: false };

/** Suggestions for the `focus` of prompts and of the account resource: e-mail addresses and domains. */
export async function completionsFor(caller: Caller, { name, value }: { name: string; value: string }) {
  if (name !== "focus" || value.trim() === "" || value.length > 200) return NONE;
  const [people, companies] = await together([
    listPeople.execute(caller, { search: value, has_email: true, limit: MOST }),
    listCompanies.execute(caller, { search: value, limit: MOST }),
  ]);
  const values = [...people.people.map(({ email }) => email), ...companies.companies.map(({ domain }) => domain)];
  const present = values.filter((one) => one !== null);
  return { values: present.slice(0, MOST), hasMore: people.has_more || companies.has_more || present.length > MOST };
}
