import { callOperation } from "#components/api.ts";
import { recordObservations } from "#components/operations/observations.ts";
import { listPeople, patchPerson, upsertPerson } from "#components/operations/people.ts";
import type { Change, Query, RecordPage } from "#components/records/list-kind.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";

export async function peoplePage(workspaceId: string, query: Query, signal?: AbortSignal): Promise<RecordPage<Person>> {
  const { people, has_more, next_cursor, total } = await callOperation(
    listPeople,
    workspaceId,
    query,
    signal ? { signal } : {},
  );
  return { rows: people, has_more, next_cursor, total };
}

export const changePerson = async (workspaceId: string, id: string, change: Change): Promise<Person> =>
  (await callOperation(patchPerson, workspaceId, { focus: id, ...change })).person;

/** Records that a person works at a company. Safe to send twice. */
export const linkEmployer = (workspaceId: string, personId: string, companyId: string) =>
  callOperation(recordObservations, workspaceId, {
    focus: personId,
    observations: [{ kind: "state", property: "works_at", value: companyId, method: "asserted" }],
  });

export const addPerson = (workspaceId: string, fields: Record<string, string>) =>
  callOperation(upsertPerson, workspaceId, fields);
