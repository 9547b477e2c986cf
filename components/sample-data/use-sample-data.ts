import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getSampleData } from "#components/operations/sample-data.ts";

export const sampleDataKey = (workspaceId: string) => ["sample-data", workspaceId] as const;

/** Whether sample data is loaded, and what of it there is. `asks`: false while it is not of interest. */
export const useSampleData = (workspaceId: string, asks = true) =>
  useQuery({
    enabled: asks,
    queryKey: sampleDataKey(workspaceId),
    queryFn: ({ signal }) => callOperation(getSampleData, workspaceId, {}, { signal }),
  });
