import type { z } from "zod";
import { callOperation, workspaceAddress } from "#components/api.ts";
import { capture, correctActivity, removeActivity, restoreActivity } from "#components/operations/activities.ts";
import {
  addIdentifier,
  getAccount,
  getConfidence,
  getHistory,
  getTimeline,
  removeIdentifier,
  verifyClaim,
  withdrawValue,
} from "#components/operations/contacts.ts";
import { getContextText } from "#components/operations/context.ts";
import { listMerges, mergeAccounts, suggestMerges, unmergeAccounts } from "#components/operations/merges.ts";
import { recordObservations } from "#components/operations/observations.ts";
import { patchCompany, patchPerson } from "#components/operations/people.ts";
import { erasePerson } from "#components/operations/privacy.ts";
import type * as activities from "#lib/domain/crm/activities/contract.ts";
import type * as contacts from "#lib/domain/knowledge/contacts/contract.ts";
import type { Account, ClaimView } from "#lib/domain/knowledge/contacts/contract.ts";
import { type Moment, timeInput } from "./moment.ts";

export type { Account, ClaimView };
export type IdentifierKind = z.input<typeof contacts.addIdentifier.input>["kind"];
/** An activity without its person, who comes from the call. */
export type ActivityInput = Omit<z.input<typeof activities.capture.input>, "contact_id" | "email">;

type Plain<T> = Exclude<T, { status: "ambiguous" }>;

/** An id names one record, so the answer is never a list of candidates. */
function plain<T>(answer: T): Plain<T> {
  if (typeof answer === "object" && answer !== null && "candidates" in answer) throw new Error("an id was ambiguous");
  return answer as Plain<T>;
}

const PAGE = 50;

/** The requests of a record's page. */
export const callsOf = (workspaceId: string, id: string) => ({
  account: async (moment: Moment, signal: AbortSignal) =>
    plain(await callOperation(getAccount, workspaceId, { focus: id, ...timeInput(moment) }, { signal })) as Account,
  timeline: async (type: string | null, cursor: string | null, signal: AbortSignal) =>
    plain(
      await callOperation(
        getTimeline,
        workspaceId,
        { focus: id, limit: PAGE, ...(type ? { type } : {}), ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    ),
  history: async (property: string, cursor: string | null, signal: AbortSignal) =>
    plain(
      await callOperation(getHistory, workspaceId, { focus: id, property, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  verify: async (property: string, signal: AbortSignal) =>
    plain(await callOperation(verifyClaim, workspaceId, { focus: id, property }, { signal })),
  confirm: async (property: string) =>
    plain(await callOperation(verifyClaim, workspaceId, { focus: id, property, confirm: true })),
  confidence: (property: string, signal: AbortSignal) =>
    callOperation(getConfidence, workspaceId, { id, property }, { signal }),
  context: async (intent: string, moment: Moment, signal: AbortSignal) =>
    plain(await callOperation(getContextText, workspaceId, { focus: id, intent, ...timeInput(moment) }, { signal })),
  changePerson: (change: {
    pipeline_stage?: Account["pipeline_stage"];
    status?: "active" | "archived";
    owner?: string | null;
  }) => callOperation(patchPerson, workspaceId, { focus: id, ...change } as { focus: string }),
  changeCompany: (change: { status?: "active" | "archived"; owner?: string | null }) =>
    callOperation(patchCompany, workspaceId, { focus: id, ...change }),
  state: (property: string, value: ClaimView["value"]) =>
    callOperation(recordObservations, workspaceId, { focus: id, observations: [{ kind: "state", property, value }] }),
  withdraw: (observation_id: string) => callOperation(withdrawValue, workspaceId, { id, observation_id }),
  addIdentifier: (kind: IdentifierKind, value: string, primary: boolean) =>
    callOperation(addIdentifier, workspaceId, { focus: id, kind, value, primary }),
  removeIdentifier: (kind: IdentifierKind, value: string) =>
    callOperation(removeIdentifier, workspaceId, { focus: id, kind, value }),
  erase: () => callOperation(erasePerson, workspaceId, { focus: id }),
  correct: (event: string, change: { description: string | null; occurred_at: string }) =>
    callOperation(correctActivity, workspaceId, { id: event, ...change }),
  remove: (event: string) => callOperation(removeActivity, workspaceId, { id: event }),
  restore: (event: string) => callOperation(restoreActivity, workspaceId, { id: event }),
  /** An activity with the company itself, which has no stage. */
  logOfCompany: async ({ type, external_id, description, occurred_at, metadata }: ActivityInput) => {
    const value = { ...(description ? { description } : {}), ...(metadata ? { metadata } : {}) } as ClaimView["value"];
    const at = occurred_at ? { observed_at: String(occurred_at) } : {};
    const event = { kind: "event", property: `interaction.${type}`, value, external_id, ...at } as const;
    const { duplicates } = await callOperation(recordObservations, workspaceId, { focus: id, observations: [event] });
    return { deduplicated: duplicates > 0, stage_before: null, stage_after: null };
  },
  log: (activity: ActivityInput) => callOperation(capture, workspaceId, { contact_id: id, ...activity }),
});

/** For properties that two records differ in: whose value counts. */
export type MergeFields = Readonly<Record<string, "keep" | "drop">>;

/** Two records of the same person or company. */
export const mergeCallsOf = (workspaceId: string) => ({
  preview: (keep: string, drop: string, signal: AbortSignal) =>
    callOperation(mergeAccounts, workspaceId, { keep, drop, dry_run: true }, { signal }),
  merge: (keep: string, drop: string, fields: MergeFields) =>
    callOperation(mergeAccounts, workspaceId, { keep, drop, fields }),
  unmerge: (merge_id: string) => callOperation(unmergeAccounts, workspaceId, { merge_id }),
  into: (focus: string, signal: AbortSignal) => callOperation(listMerges, workspaceId, { focus }, { signal }),
  suggestions: (signal: AbortSignal) => callOperation(suggestMerges, workspaceId, { limit: 200 }, { signal }),
});

export type Calls = ReturnType<typeof callsOf>;
export type AgentText = Awaited<ReturnType<Calls["context"]>>;
export type TimelinePage = Awaited<ReturnType<Calls["timeline"]>>;
export type Event = TimelinePage["events"][number];
export type Value = Awaited<ReturnType<Calls["history"]>>["values"][number];
export type MergePreview = Awaited<ReturnType<ReturnType<typeof mergeCallsOf>["preview"]>>;

export const accountKey = (workspaceId: string, id: string) => ["account", workspaceId, id] as const;

/** The address to download everything about a person from. */
export const exportAddressOf = (workspaceId: string, id: string): string =>
  workspaceAddress(workspaceId, `/export?person=${id}`);
