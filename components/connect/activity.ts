import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/api-keys/contract.ts";

const getAgentActivity = operationAt<typeof contract.getAgentActivity>("GET /agent-activity");

export type Activity = z.output<typeof contract.getAgentActivity.output>;

const EVERY_MS = 2_000;

/** When an agent last called, asked again every two seconds while the page is in sight. */
export const useActivity = (workspaceId: string, initial: Activity) =>
  useQuery({
    queryKey: ["agent-activity", workspaceId],
    queryFn: ({ signal }) => callOperation(getAgentActivity, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: EVERY_MS,
  });
