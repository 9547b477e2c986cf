/** What the doctor makes of what stopped in workspaces. */

import { ENDS_WITHIN_DAYS } from "#lib/domain/integrations/connections/words.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { counted, type Finding, failing, fine, listed, warning } from "./finding.ts";

/** What stopped in a workspace, or will. */
export type StoppedParts = {
  workspace: string;
  triggers: number;
  connections: number;
  keys: number;
  clients: number;
  mailboxes: number;
  /** how often the next block of the audit log was sent and not taken */
  pushTries: number;
};

const named = (stopped: readonly StoppedParts[], what: keyof Omit<StoppedParts, "workspace">): string =>
  listed(
    stopped.filter((each) => each[what] > 0).map((each) => `${each.workspace} (${each[what]})`),
    5,
    " workspaces",
  );
const sum = (stopped: readonly StoppedParts[], what: keyof Omit<StoppedParts, "workspace">): number =>
  stopped.reduce((total, each) => total + each[what], 0);

export function ofWorkspaces(stopped: readonly StoppedParts[]): Finding[] {
  const [triggers, connections] = [sum(stopped, "triggers"), sum(stopped, "connections")];
  const [keys, clients, mailboxes] = [sum(stopped, "keys"), sum(stopped, "clients"), sum(stopped, "mailboxes")];
  return [
    triggers > 0
      ? warning(
          "triggers",
          `${counted(triggers, "trigger was", "triggers were")} stopped because the target failed: ${named(stopped, "triggers")}.`,
          "Fix the target, then resume the trigger on its page. Events wait until then.",
        )
      : fine("triggers", "No trigger was stopped."),
    connections > 0
      ? warning(
          "integrations",
          `${counted(connections, "integration needs", "integrations need")} attention: ${named(stopped, "connections")}.`,
          "The page Integrations of the workspace says what is wrong; a new token fixes most problems.",
        )
      : fine("integrations", "Every integration works."),
    keys > 0
      ? warning(
          "keys",
          `${counted(keys, "API key ends", "API keys end")} within ${ENDS_WITHIN_DAYS} days: ${named(stopped, "keys")}.`,
          "Rotate it on the page API keys; the old one works on for the overlap you choose.",
        )
      : fine("keys", `No API key ends within ${ENDS_WITHIN_DAYS} days.`),
    clients > 0
      ? warning(
          "clients",
          `${counted(clients, "connected client has", "connected clients have")} to be approved again within ${ENDS_WITHIN_DAYS} days: ${named(stopped, "clients")}.`,
          "A connection lasts a year. Its person signs in again in the client, and approves it.",
        )
      : fine("clients", `No connected client has to be approved again within ${ENDS_WITHIN_DAYS} days.`),
    mailboxes > 0
      ? warning(
          "mailboxes",
          `${counted(mailboxes, "mailbox is", "mailboxes are")} not read: ${named(stopped, "mailboxes")}.`,
          "Each belongs to a member, who alone sees which and why on Integrations › Mail of the workspace. When all fail, check the network.",
        )
      : fine("mailboxes", "Every mailbox that a member connected is read."),
  ];
}

/** What a provider said about the credentials of a workspace. */
export type AskedProvider = {
  workspace: string;
  provider: string;
  says: "accepted" | "refused" | "nothing" | "unreadable";
  endsAt: Date | null;
};

/** `left`: how many workspaces were not asked for, because others took the time. */
export function ofProviders(asked: readonly AskedProvider[], left: number, now: Date): Finding {
  const named = (some: readonly AskedProvider[]) =>
    listed(
      some.map(({ workspace, provider }) => `${workspace} (${provider})`),
      5,
      "",
    );
  const [refused, unreadable, silent] = (["refused", "unreadable", "nothing"] as const).map((says) =>
    asked.filter((each) => each.says === says),
  ) as [AskedProvider[], AskedProvider[], AskedProvider[]];
  const soon = now.getTime() + ENDS_WITHIN_DAYS * DAY_MS;
  const ending = asked.filter(({ endsAt }) => endsAt !== null && endsAt.getTime() < soon);
  const sentences = [
    refused.length > 0 && `Refused: ${named(refused)}.`,
    unreadable.length > 0 && `Sealed with an encryption key that is not there: ${named(unreadable)}.`,
    ending.length > 0 && `Ends within ${ENDS_WITHIN_DAYS} days: ${named(ending)}.`,
    silent.length > 0 && `No answer: ${named(silent)}.`,
    left > 0 && `${counted(left, "workspace was", "workspaces were")} left out, because others took the time.`,
  ].filter((sentence) => sentence !== false);
  if (sentences.length > 0)
    return warning(
      "provider tokens",
      sentences.join(" "),
      "Make a new token at the provider and connect again on the page Integrations. Without an answer, check the network and the provider's status page.",
    );
  return fine(
    "provider tokens",
    asked.length === 0 ? "No provider is connected." : "Every provider accepts our credentials.",
  );
}

/** `isSet`: AUDIT_PUSH_URL. */
export function ofAuditPush(isSet: boolean, stopped: readonly StoppedParts[]): Finding {
  if (!isSet) return fine("audit log", "It stays in the database; AUDIT_PUSH_URL would send it on.");
  return sum(stopped, "pushTries") > 0
    ? failing(
        "audit log",
        `The target of AUDIT_PUSH_URL did not take the audit log, tries by workspace: ${named(stopped, "pushTries")}.`,
        "The log of the app says why. Fix the target: what waits is sent in order.",
      )
    : fine("audit log", "The target of AUDIT_PUSH_URL takes it.");
}
