import { queryOptions } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getChecks } from "#components/operations/checks.ts";

/** Some counts read much, and none changes from one minute to the next. */
const REFRESH_MS = 5 * 60_000;

/** What has stopped and how good the data is, kept up to date. */
export const checksQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["checks", workspaceId],
    queryFn: ({ signal }) => callOperation(getChecks, workspaceId, {}, { signal }),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
