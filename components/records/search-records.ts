import { callOperation } from "#components/api.ts";
import { listCompanies, listPeople } from "#components/operations/people.ts";
import { companyName, personName, shortLinkedin } from "./names.ts";
import type { Stage } from "./stages.ts";

export type RecordType = "person" | "company";
export type FoundRecord = {
  id: string;
  type: RecordType;
  name: string;
  detail: string;
  stage?: Stage;
  owner?: string | null;
};

/** People or companies by a part of their name, e-mail, company or domain; the most recently active first. */
export async function searchRecords(
  workspaceId: string,
  type: RecordType,
  search: string,
  limit: number,
  signal?: AbortSignal,
): Promise<FoundRecord[]> {
  const input = { limit, ...(search.trim() ? { search: search.trim().slice(0, 200) } : {}) };
  const options = signal ? { signal } : {};
  if (type === "person") {
    const { people } = await callOperation(listPeople, workspaceId, input, options);
    return people.map((person) => ({
      id: person.id,
      type,
      stage: person.pipeline_stage,
      owner: person.owner,
      name: personName(person),
      detail:
        [person.job_title, person.company].filter(Boolean).join(" · ") ||
        (person.email ?? shortLinkedin(person.linkedin_url) ?? ""),
    }));
  }
  const { companies } = await callOperation(listCompanies, workspaceId, input, options);
  return companies.map((company) => ({
    id: company.id,
    type,
    owner: company.owner,
    name: companyName(company),
    detail: company.domain ?? company.industry ?? "",
  }));
}
