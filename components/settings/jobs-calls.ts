import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { listJobs, retryJob } from "#components/operations/jobs.ts";
import type * as contract from "#lib/domain/integrations/jobs/contract.ts";

export type JobList = z.output<typeof contract.listJobs.output>;

const REFRESH_MS = 3_000;
const keyOf = (workspaceId: string) => ["jobs", workspaceId];

/** The workspace's jobs, kept up to date; `initial` is what the server rendered. */
export const useJobs = (workspaceId: string, initial: JobList) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(listJobs, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: REFRESH_MS,
  });

export function useRetryJob(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (job: string) => callOperation(retryJob, workspaceId, { job }),
    onSettled: () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) }),
  });
}
