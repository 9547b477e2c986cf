/** What of the audit log is shown; null is everything. `from` and `to` are days, both included. */
export type AuditFilter = { kind: string | null; actor: string | null; from: string | null; to: string | null };

export const EVERYTHING: AuditFilter = { kind: null, actor: null, from: null, to: null };

export const isEverything = (filter: AuditFilter): boolean => Object.values(filter).every((value) => value === null);

type Kind = { value: string; label: string; nouns: readonly [string, ...string[]] };

/** Actions by what a reader looks for. A test holds that each action is in one of them. */
export const auditKinds: readonly Kind[] = [
  { value: "sign-ins", label: "Sign-ins", nouns: ["user", "device_login"] },
  {
    value: "members",
    label: "Members",
    nouns: ["member", "invitation", "directory_user", "directory_group", "sign_in_groups"],
  },
  { value: "keys", label: "API keys and clients", nouns: ["api_key", "client"] },
  { value: "approvals", label: "Approvals", nouns: ["change"] },
  { value: "exports", label: "Exports and backups", nouns: ["export", "audit_log", "backup"] },
  { value: "records", label: "People and records", nouns: ["person", "record", "bulk_action", "task"] },
  { value: "imports", label: "Imports", nouns: ["import", "sample_data"] },
  { value: "mail", label: "Mail and meetings", nouns: ["mailbox", "calendar", "mail", "meeting", "log_address"] },
  {
    value: "integrations",
    label: "Integrations",
    nouns: [
      "integration",
      "inbound_delivery",
      "inbound_retention",
      "backfill",
      "crm_sync",
      "trigger",
      "trigger_delivery",
    ],
  },
  {
    value: "settings",
    label: "Workspace and settings",
    nouns: ["workspace", "sign_in_demand", "plan", "stage_rules", "scoring_model", "job"],
  },
];

/** The filter as the API has it. Days are the reader's. */
export function auditQuery({ kind, actor, from, to }: AuditFilter) {
  const nouns = auditKinds.find(({ value }) => value === kind)?.nouns;
  return {
    ...(nouns ? { action: [...nouns] } : {}),
    ...(actor === null ? {} : { actor }),
    ...(from === null ? {} : { from: beginningOf(from).toISOString() }),
    ...(to === null ? {} : { to: new Date(beginningOf(to, 1).getTime() - 1).toISOString() }),
  };
}

/** Midnight of a day, or of one after it, where the reader is. */
function beginningOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}
