import type { FactValue } from "#components/account/fact-kinds.ts";
import { callOperation } from "#components/api.ts";
import { hideAttention, listAttention, showAttention } from "#components/operations/attention.ts";
import { verifyClaim, withdrawValue } from "#components/operations/contacts.ts";
import { recordObservations } from "#components/operations/observations.ts";
import { getActivity, getOverview, getWeek } from "#components/operations/overview.ts";
import { queryObservations } from "#components/operations/query.ts";
import { getWorkspaceStatus } from "#components/operations/workspace-status.ts";
import { zoneOfReader } from "#components/ui/times.ts";
import type { AttentionItem } from "#lib/domain/knowledge/attention/contract.ts";

/** How many reasons are read; one person may have several. */
const ATTENTION = 24;

/** Tasks have a card of their own. */
export const attentionKinds = ["upcoming_meeting", "conflict", "going_dark", "decayed_fact"] as const;

/** How many observations are read for the newest facts; names and the like among them are not shown. */
const LEARNED = 60;

/** The requests of the home page. */
export const homeCallsOf = (workspaceId: string) => ({
  attention: (signal: AbortSignal) =>
    callOperation(listAttention, workspaceId, { limit: ATTENTION, kinds: [...attentionKinds] }, { signal }),
  hide: (items: readonly AttentionItem[], days?: number) =>
    callOperation(hideAttention, workspaceId, {
      items: items.map(({ id, entity_id }) => ({ id, entity_id })),
      ...(days === undefined ? {} : { days }),
    }),
  show: (ids: readonly string[]) => callOperation(showAttention, workspaceId, { ids: [...ids] }),
  confirm: (entityId: string, property: string) =>
    callOperation(verifyClaim, workspaceId, { focus: entityId, property, confirm: true }),
  settle: (entityId: string, property: string, value: FactValue) =>
    callOperation(recordObservations, workspaceId, {
      focus: entityId,
      observations: [{ kind: "state", property, value }],
    }),
  withdraw: (id: string, observation_id: string) => callOperation(withdrawValue, workspaceId, { id, observation_id }),
  overview: (signal: AbortSignal) => callOperation(getOverview, workspaceId, {}, { signal }),
  week: (signal: AbortSignal) => callOperation(getWeek, workspaceId, {}, { signal }),
  learned: (signal: AbortSignal) =>
    callOperation(queryObservations, workspaceId, { scope: { kind: "state", limit: LEARNED } }, { signal }),
  activity: (signal: AbortSignal) => callOperation(getActivity, workspaceId, { zone: zoneOfReader() }, { signal }),
  status: (signal: AbortSignal) => callOperation(getWorkspaceStatus, workspaceId, {}, { signal }),
});

type HomeCalls = ReturnType<typeof homeCallsOf>;
export type Attention = Awaited<ReturnType<HomeCalls["attention"]>>;
export type Week = Awaited<ReturnType<HomeCalls["week"]>>;
export type Overview = Awaited<ReturnType<HomeCalls["overview"]>>;
export type Activity = Awaited<ReturnType<HomeCalls["activity"]>>;
export type LearnedPage = Awaited<ReturnType<HomeCalls["learned"]>>;
export type Status = Awaited<ReturnType<HomeCalls["status"]>>;
