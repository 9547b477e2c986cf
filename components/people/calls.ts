import { callOperation, operationAt } from "#components/api.ts";
import type { Change, Query, RecordPage } from "#components/records/list-kind.ts";
import type * as contract from "#lib/domain/people/contract.ts";
import type { Person } from "#lib/domain/people/contract.ts";

const list = operationAt<typeof contract.listPeople>("GET /v2/people");
const patch = operationAt<typeof contract.patchPerson>("PATCH /v2/people/:focus");
const upsert = operationAt<typeof contract.upsertPerson>("POST /v2/people");

export async function listPeople(workspaceId: string, query: Query, signal?: AbortSignal): Promise<RecordPage<Person>> {
  const { people, has_more, next_cursor } = await callOperation(list, workspaceId, query, signal ? { signal } : {});
  return { rows: people, has_more, next_cursor };
}

export const changePerson = async (workspaceId: string, id: string, change: Change): Promise<Person> =>
  (await callOperation(patch, workspaceId, { focus: id, ...change })).person;

export const addPerson = (workspaceId: string, fields: Record<string, string>) =>
  callOperation(upsert, workspaceId, fields);
