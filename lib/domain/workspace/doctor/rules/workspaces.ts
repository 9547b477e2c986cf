/** What the doctor makes of what stopped in workspaces. */
import { counted, type Finding, failing, fine, listed, warning } from "./finding.ts";

/** What stopped in a workspace, or will. */
export type StoppedParts = {
  workspace: string;
  triggers: number;
  connections: number;
  keys: number;
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
  const [triggers, connections, keys] = [sum(stopped, "triggers"), sum(stopped, "connections"), sum(stopped, "keys")];
  return [
    triggers > 0
      ? warning(
          "triggers",
          `${counted(triggers, "trigger was", "triggers were")} stopped because the target failed: ${named(stopped, "triggers")}.`,
          "Mend the target, then resume the trigger on its page. Events wait until then.",
        )
      : fine("triggers", "No trigger was stopped."),
    connections > 0
      ? warning(
          "integrations",
          `${counted(connections, "integration needs", "integrations need")} attention: ${named(stopped, "connections")}.`,
          "The page Integrations of the workspace says what is wrong; a new token mends most.",
        )
      : fine("integrations", "Every integration works."),
    keys > 0
      ? warning(
          "keys",
          `${counted(keys, "API key ends", "API keys end")} within 14 days: ${named(stopped, "keys")}.`,
          "Rotate it on the page API keys; the old one works on for the overlap you choose.",
        )
      : fine("keys", "No API key ends within 14 days."),
  ];
}

/** `isSet`: AUDIT_PUSH_URL. */
export function ofAuditPush(isSet: boolean, stopped: readonly StoppedParts[]): Finding {
  if (!isSet) return fine("audit log", "It stays in the database; AUDIT_PUSH_URL would send it on.");
  return sum(stopped, "pushTries") > 0
    ? failing(
        "audit log",
        `The target of AUDIT_PUSH_URL did not take the audit log, tries by workspace: ${named(stopped, "pushTries")}.`,
        "The log of the app says why. Mend the target: what waits is sent in order.",
      )
    : fine("audit log", "The target of AUDIT_PUSH_URL takes it.");
}
