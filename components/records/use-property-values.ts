import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { listPropertyValues } from "#components/operations/people.ts";
import type { Property } from "#lib/domain/crm/people/contract.ts";

/** The values that records have in a property, the most frequent first; those that contain the search. */
export function usePropertyValues(
  workspaceId: string,
  subject: Property["subject"],
  name: string,
  search: string,
  enabled = true,
) {
  return useQuery({
    queryKey: ["property-values", workspaceId, subject, name, search.trim()],
    queryFn: ({ signal }) =>
      callOperation(
        listPropertyValues,
        workspaceId,
        { name, subject, ...(search.trim() === "" ? {} : { search: search.trim() }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // The count beside a value is that of now.
    staleTime: 5_000,
    enabled,
  });
}
