import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { getAgentActivity } from "#components/operations/api-keys.ts";
import type * as contract from "#lib/domain/access/api-keys/contract.ts";

export type Activity = z.output<typeof contract.getAgentActivity.output>;

const EVERY_MS = 2_000;

/** When an agent last called; asked again every two seconds while the page is visible. */
export const useActivity = (workspaceId: string, initial: Activity) =>
  useQuery({
    queryKey: ["agent-activity", workspaceId],
    queryFn: ({ signal }) => callOperation(getAgentActivity, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: EVERY_MS,
  });
