import type { z } from "zod";
import { callOperation, operationAt } from "#components/api.ts";
import type * as activities from "#lib/domain/activities/contract.ts";
import type * as contacts from "#lib/domain/contacts/contract.ts";
import type { Account, ClaimView } from "#lib/domain/contacts/contract.ts";
import type * as context from "#lib/domain/context/contract.ts";
import type { Context } from "#lib/domain/context/contract.ts";
import type * as merges from "#lib/domain/merges/contract.ts";
import type * as people from "#lib/domain/people/contract.ts";
import type * as privacy from "#lib/domain/privacy/contract.ts";
import { type Moment, timeInput } from "./moment.ts";

const account = operationAt<typeof contacts.getAccount>("GET /v2/accounts/:focus");
const timeline = operationAt<typeof contacts.getTimeline>("GET /v2/accounts/:focus/timeline");
const history = operationAt<typeof contacts.getHistory>("GET /v2/accounts/:focus/history");
const verify = operationAt<typeof contacts.verifyClaim>("POST /v2/verify");
const agentContext = operationAt<typeof context.getContext>("POST /v2/context");
const patchPerson = operationAt<typeof people.patchPerson>("PATCH /v2/people/:focus");
const patchCompany = operationAt<typeof people.patchCompany>("PATCH /v2/companies/:focus");
const merge = operationAt<typeof merges.mergeAccounts>("POST /v2/accounts/merge");
const unmerge = operationAt<typeof merges.unmergeAccounts>("POST /v2/accounts/unmerge");
const capture = operationAt<typeof activities.capture>("POST /api/v1/capture");
const erase = operationAt<typeof privacy.erasePerson>("POST /v2/accounts/erase");
const suggest = operationAt<typeof merges.suggestMerges>("GET /v2/accounts/duplicates");

export type { Account, ClaimView, Context };
/** What is said of an activity; whose it is, the call says. */
export type ActivityInput = Omit<z.input<typeof activities.capture.input>, "contact_id" | "email">;

type Plain<T> = Exclude<T, { status: "ambiguous" }>;

/** An id names one record, so its answer is never a choice between several. */
function plain<T>(answer: T): Plain<T> {
  if (typeof answer === "object" && answer !== null && "candidates" in answer) throw new Error("an id was ambiguous");
  return answer as Plain<T>;
}

export const PAGE = 50;

/** What the page of a record asks of the server. */
export const callsOf = (workspaceId: string, id: string) => ({
  account: async (moment: Moment, signal: AbortSignal) =>
    plain(await callOperation(account, workspaceId, { focus: id, ...timeInput(moment) }, { signal })) as Account,
  timeline: async (type: string | null, cursor: string | null, signal: AbortSignal) =>
    plain(
      await callOperation(
        timeline,
        workspaceId,
        { focus: id, limit: PAGE, ...(type ? { type } : {}), ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    ),
  history: async (property: string, cursor: string | null, signal: AbortSignal) =>
    plain(
      await callOperation(history, workspaceId, { focus: id, property, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  verify: async (property: string, signal: AbortSignal) =>
    plain(await callOperation(verify, workspaceId, { focus: id, property }, { signal })),
  context: async (intent: string, moment: Moment, signal: AbortSignal) =>
    plain(
      await callOperation(agentContext, workspaceId, { focus: id, intent, ...timeInput(moment) }, { signal }),
    ) as Context,
  changePerson: (change: { pipeline_stage?: Account["pipeline_stage"]; status?: "active" | "archived" }) =>
    callOperation(patchPerson, workspaceId, { focus: id, ...change } as { focus: string }),
  changeCompany: (change: { status: "active" | "archived" }) =>
    callOperation(patchCompany, workspaceId, { focus: id, ...change }),
  erase: () => callOperation(erase, workspaceId, { focus: id }),
  log: (activity: ActivityInput) => callOperation(capture, workspaceId, { contact_id: id, ...activity }),
});

/** Two records that are one. */
export const mergeCallsOf = (workspaceId: string) => ({
  preview: (keep: string, drop: string, signal: AbortSignal) =>
    callOperation(merge, workspaceId, { keep, drop, dry_run: true }, { signal }),
  merge: (keep: string, drop: string) => callOperation(merge, workspaceId, { keep, drop }),
  unmerge: (merge_id: string) => callOperation(unmerge, workspaceId, { merge_id }),
  suggestions: (signal: AbortSignal) => callOperation(suggest, workspaceId, { limit: 200 }, { signal }),
});

export type Calls = ReturnType<typeof callsOf>;
export type TimelinePage = Awaited<ReturnType<Calls["timeline"]>>;
export type Event = TimelinePage["events"][number];
export type Value = Awaited<ReturnType<Calls["history"]>>["values"][number];
export type MergePreview = Awaited<ReturnType<ReturnType<typeof mergeCallsOf>["preview"]>>;

export const accountKey = (workspaceId: string, id: string) => ["account", workspaceId, id] as const;

/** Where everything known of a person is downloaded from. */
export const exportAddressOf = (workspaceId: string, id: string): string =>
  `/api/app/${workspaceId}/export?person=${id}`;
