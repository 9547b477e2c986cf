import type { Caller } from "#lib/core/context.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { listAttention } from "#lib/domain/knowledge/attention/service.ts";
import { type ChangeType, changeTypes } from "#lib/domain/knowledge/changes/contract.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { listActivities } from "#lib/domain/knowledge/feed/service.ts";
import { getAgentView } from "#lib/domain/records/facts/service.ts";
import { line, minute, outsideLines } from "#lib/text/marks.ts";
import { attentionText } from "./text/answers.ts";
import { accountText } from "./text/context.ts";

const TEXT = "text/plain";
const PROFILE = "rapport://gtm-profile";
const ACTIVITY = "rapport://activity";
const ATTENTION = "rapport://attention";
const ACCOUNT = /^rapport:\/\/accounts\/(.+)$/;

export const resources = [
  { uri: PROFILE, name: "gtm-profile", title: "GTM profile", description: "How this workspace sells.", mimeType: TEXT },
  {
    uri: ACTIVITY,
    name: "activity",
    title: "Recent activity",
    description: "The latest 50 activities of all people and companies.",
    mimeType: TEXT,
  },
  {
    uri: ATTENTION,
    name: "attention",
    title: "Attention",
    description: "What a person should look at now, most urgent first.",
    mimeType: TEXT,
  },
];

export const resourceTemplates = [
  {
    uriTemplate: "rapport://accounts/{focus}",
    name: "account",
    title: "Account",
    description: "Everything recorded about one person or company, by id, e-mail, domain or name.",
    mimeType: TEXT,
  },
];

/** The text of a resource; null when there is none at that address. Throws a `Fault` as the operation behind it does. */
export async function readResource(
  caller: Caller,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string } | null> {
  const text = await textAt(caller, uri);
  return text === null ? null : { uri, mimeType: TEXT, text };
}

async function textAt(caller: Caller, uri: string): Promise<string | null> {
  if (uri === PROFILE) return (await getAgentView.execute(caller, {})).text;
  if (uri === ACTIVITY) return recentActivity(caller);
  if (uri === ATTENTION) return attentionText(await listAttention.execute(caller, {}));
  const decoded = focusIn(uri);
  return decoded === null ? null : accountText(await getAccount.execute(caller, { focus: decoded }));
}

function focusIn(uri: string): string | null {
  const focus = ACCOUNT.exec(uri)?.[1];
  return focus === undefined ? null : decodedOrNull(focus);
}

/** The changes that a resource follows from: of which types, and of which record. */
export type ResourceChanges = {
  types: readonly ChangeType[];
  /** null: of any */
  id: string | null;
  /** not each of them changes it, so that it is read again */
  compared: boolean;
};

/** What a resource follows from; null when the caller cannot read it, or its name is that of several records. */
export async function followedBy(caller: Caller, uri: string): Promise<ResourceChanges | null> {
  if (uri === PROFILE) return { types: ["fact"], id: null, compared: false };
  if (uri === ACTIVITY) return { types: ["activity", "merge", "unmerge", "erased"], id: null, compared: true };
  if (uri === ATTENTION) return { types: changeTypes, id: null, compared: true };
  const focus = focusIn(uri);
  if (focus === null) return null;
  const account = await unlessRefused(getAccount.execute(caller, { focus }));
  return account === null || "candidates" in account
    ? null
    : { types: changeTypes, id: account.entity_id, compared: false };
}

async function recentActivity(caller: Caller): Promise<string> {
  const { activities } = await listActivities.execute(caller, { limit: 50 });
  if (activities.length === 0) return "No activity yet.";
  return outsideLines(
    activities.map(
      ({ observed_at, entity_name, type, summary, source }) =>
        `- ${minute(observed_at)} ${line(entity_name)}, ${type}${summary ? `: ${line(summary, 300)}` : ""} (${source})`,
    ),
  );
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
