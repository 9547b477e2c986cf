import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { listProperties } from "#components/operations/people.ts";
import type { Property } from "#lib/domain/people/contract.ts";

/** The properties that people or companies can be filtered by; none while they are not known. */
export function useProperties(workspaceId: string, subject: Property["subject"]): readonly Property[] {
  const { data } = useQuery({
    queryKey: ["properties", workspaceId, subject],
    queryFn: async ({ signal }) =>
      (await callOperation(listProperties, workspaceId, { subject }, { signal })).properties,
    staleTime: 60_000,
  });
  return data ?? [];
}
