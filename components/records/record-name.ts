import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getNames } from "#components/operations/overview.ts";
import { inBatches } from "./in-batches.ts";

/** The most that the operation returns at once. */
const MOST = 200;

const nameOf = inBatches(MOST, async (workspaceId, ids) => {
  const { names } = await callOperation(getNames, workspaceId, { ids });
  return new Map(names.map(({ id, name }) => [id, name]));
});

/** The name of the record with this id; undefined until it is known. */
export function useRecordName(workspaceId: string, id: string | null): string | undefined {
  const { data, isError } = useQuery({
    queryKey: ["record-name", workspaceId, id],
    queryFn: async () => (await nameOf(workspaceId, id ?? "")) ?? "Unknown",
    enabled: id !== null,
    staleTime: 300_000,
  });
  return isError ? "Unknown" : data;
}
