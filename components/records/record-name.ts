import { useQuery } from "@tanstack/react-query";
import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/contacts/contract.ts";

const getAccount = operationAt<typeof contract.getAccount>("GET /v2/accounts/:focus");

/** What the record with this id is called; undefined until that is known. */
export function useRecordName(workspaceId: string, id: string | null): string | undefined {
  const { data, isError } = useQuery({
    queryKey: ["record-name", workspaceId, id],
    queryFn: async ({ signal }) => {
      const account = await callOperation(getAccount, workspaceId, { focus: id ?? "" }, { signal });
      return "name" in account ? account.name : "Unknown";
    },
    enabled: id !== null,
    staleTime: 300_000,
  });
  return isError ? "unknown" : data;
}
