import { callOperation, operationAt } from "#components/api.ts";
import type { Change, Query, RecordPage } from "#components/records/list-kind.ts";
import type * as contract from "#lib/domain/people/contract.ts";
import type { Company } from "#lib/domain/people/contract.ts";

const list = operationAt<typeof contract.listCompanies>("GET /v2/companies");
const patch = operationAt<typeof contract.patchCompany>("PATCH /v2/companies/:focus");
const upsert = operationAt<typeof contract.upsertCompany>("POST /v2/companies");

export async function listCompanies(
  workspaceId: string,
  query: Query,
  signal?: AbortSignal,
): Promise<RecordPage<Company>> {
  const { companies, has_more, next_cursor } = await callOperation(list, workspaceId, query, signal ? { signal } : {});
  return { rows: companies, has_more, next_cursor };
}

export const changeCompany = async (workspaceId: string, id: string, { status }: Change): Promise<Company> =>
  (await callOperation(patch, workspaceId, { focus: id, ...(status ? { status } : {}) })).company;

export const addCompany = (workspaceId: string, fields: Record<string, string>) =>
  callOperation(upsert, workspaceId, fields);
