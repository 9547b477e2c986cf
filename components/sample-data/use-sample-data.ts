import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { getSampleData } from "#components/operations/sample-data.ts";
import type * as contract from "#lib/domain/workspace/sample-data/contract.ts";

export type SampleData = z.output<typeof contract.getSampleData.output>;

export const sampleDataKey = (workspaceId: string) => ["sample-data", workspaceId] as const;

/** Whether sample data is loaded, and what of it there is. `asks`: false while it is not of interest. */
export const useSampleData = (workspaceId: string, asks = true, initial?: SampleData) =>
  useQuery({
    enabled: asks,
    ...(initial ? { initialData: initial } : {}),
    queryKey: sampleDataKey(workspaceId),
    queryFn: ({ signal }) => callOperation(getSampleData, workspaceId, {}, { signal }),
  });
