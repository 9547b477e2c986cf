import { callOperation, operationAt } from "#components/api.ts";
import type * as attention from "#lib/domain/attention/contract.ts";
import type * as overview from "#lib/domain/overview/contract.ts";
import type * as query from "#lib/domain/query/contract.ts";
import type * as status from "#lib/domain/workspace-status/contract.ts";

const listAttention = operationAt<typeof attention.listAttention>("GET /v2/attention");
const getOverview = operationAt<typeof overview.getOverview>("GET /overview");
const getActivity = operationAt<typeof overview.getActivity>("GET /activity");
const queryObservations = operationAt<typeof query.queryObservations>("POST /v2/query");
const getStatus = operationAt<typeof status.getWorkspaceStatus>("GET /v2/workspace/status");

/** How many observations are looked at for the newest facts; names and the like among them are not told. */
export const LEARNED = 60;

/** What the home page asks of the server. */
export const homeCallsOf = (workspaceId: string) => ({
  attention: (signal: AbortSignal) => callOperation(listAttention, workspaceId, { limit: 12 }, { signal }),
  overview: (signal: AbortSignal) => callOperation(getOverview, workspaceId, {}, { signal }),
  learned: (signal: AbortSignal) =>
    callOperation(queryObservations, workspaceId, { scope: { kind: "state", limit: LEARNED } }, { signal }),
  activity: (signal: AbortSignal) =>
    callOperation(getActivity, workspaceId, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }, { signal }),
  status: (signal: AbortSignal) => callOperation(getStatus, workspaceId, {}, { signal }),
});

type HomeCalls = ReturnType<typeof homeCallsOf>;
export type Attention = Awaited<ReturnType<HomeCalls["attention"]>>;
export type Overview = Awaited<ReturnType<HomeCalls["overview"]>>;
export type Activity = Awaited<ReturnType<HomeCalls["activity"]>>;
export type Learned = Awaited<ReturnType<HomeCalls["learned"]>>;
export type Status = Awaited<ReturnType<HomeCalls["status"]>>;
