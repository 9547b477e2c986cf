import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/contacts/contract.ts";

const getAccount = operationAt<typeof contract.getAccount>("GET /v2/accounts/:focus");

/** What the record with this id is called. */
export async function companyNameById(workspaceId: string, id: string, signal: AbortSignal): Promise<string> {
  const account = await callOperation(getAccount, workspaceId, { focus: id }, { signal });
  return "name" in account ? account.name : id;
}
