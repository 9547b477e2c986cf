import { callOperation } from "#components/api.ts";
import { listCompanies, patchCompany, upsertCompany } from "#components/operations/people.ts";
import type { Change, Query, RecordPage } from "#components/records/list-kind.ts";
import type { Company } from "#lib/domain/crm/people/contract.ts";

export async function companiesPage(
  workspaceId: string,
  query: Query,
  signal?: AbortSignal,
): Promise<RecordPage<Company>> {
  const { companies, has_more, next_cursor, total } = await callOperation(
    listCompanies,
    workspaceId,
    query,
    signal ? { signal } : {},
  );
  return { rows: companies, has_more, next_cursor, total };
}

export const changeCompany = async (workspaceId: string, id: string, { status }: Change): Promise<Company> =>
  (await callOperation(patchCompany, workspaceId, { focus: id, ...(status ? { status } : {}) })).company;

export const addCompany = (workspaceId: string, fields: Record<string, string>) =>
  callOperation(upsertCompany, workspaceId, fields);
