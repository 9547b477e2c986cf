/**
 * Every table of a tenant: what erasing a person does to it, and whether an export holds it. A test compares the list
 * with the database, so that no new table can be forgotten.
 */
export type TenantTable = {
  name: string;
  /**
   * `cascade`: rows go with the entity. `words`: `eraseNotes` takes out what only the person's notes said. `mentions`:
   * erasure looks for the person in them. `nothing`: they hold nothing of the people in the record.
   */
  erasure: "cascade" | "words" | "mentions" | "nothing";
  /** Why an export leaves the table out, or what it leaves out of its rows: secrets, and what is derived from the rest. */
  left?: { whole: string } | { columns: readonly string[] };
  /** The columns that link a row to a person; an export of one person holds these rows. */
  entity?: readonly string[];
  /** The columns that an export is ordered by; default `id`. */
  order?: readonly string[];
};

const derived = { whole: "derived from the notes" } as const;

export const tenantTables: readonly TenantTable[] = [
  { name: "members", erasure: "nothing" },
  { name: "invitations", erasure: "nothing", left: { columns: ["token_hash"] } },
  { name: "api_keys", erasure: "nothing", left: { columns: ["key_hash"] } },
  { name: "directory_users", erasure: "nothing" },
  { name: "directory_groups", erasure: "nothing" },
  { name: "directory_group_members", erasure: "nothing", order: ["group_id", "directory_user_id"] },
  { name: "oauth_grants", erasure: "nothing" },
  { name: "oauth_codes", erasure: "nothing", left: { whole: "secrets that work for a minute" } },
  { name: "oauth_tokens", erasure: "nothing", left: { whole: "secrets, and when they end" } },
  { name: "approvals", erasure: "mentions", left: { columns: ["input"] } },
  { name: "approval_rules", erasure: "nothing" },
  { name: "connections", erasure: "nothing", left: { columns: ["credentials", "signing_secret"] } },
  { name: "triggers", erasure: "mentions", left: { columns: ["secret", "old_secret"] } },
  {
    name: "trigger_deliveries",
    erasure: "cascade",
    left: { whole: "a log kept for 30 days; what it told is in the rest" },
  },
  { name: "trigger_hours", erasure: "nothing", left: { whole: "counts of deliveries by the hour" } },
  { name: "backfills", erasure: "nothing" },
  {
    name: "backfill_contacts",
    erasure: "cascade",
    left: { whole: "what a search for bookings found is on the timelines" },
  },
  { name: "crm_configs", erasure: "nothing", order: ["provider"] },
  { name: "crm_runs", erasure: "nothing" },
  {
    name: "crm_run_rows",
    erasure: "cascade",
    left: { whole: "a log of what was compared; the records have the result" },
  },
  { name: "crm_pushes", erasure: "cascade", left: { whole: "which notes and activities were pushed" } },
  { name: "imports", erasure: "mentions" },
  { name: "import_chunks", erasure: "mentions", left: { whole: "files that wait to be imported" } },
  {
    name: "import_batches",
    erasure: "mentions",
    left: { whole: "what was imported is in the other tables" },
  },
  { name: "retired_observations", erasure: "mentions", entity: ["entity_id"] },
  { name: "audit_log", erasure: "nothing", left: { columns: ["written_in"] } },
  {
    name: "audit_blocks",
    erasure: "nothing",
    left: { whole: "hashes over the rows of this database; a restored workspace begins a chain of its own" },
  },
  { name: "audit_pushes", erasure: "nothing", left: { whole: "how far the audit log was sent from this database" } },
  {
    name: "check_counts",
    erasure: "nothing",
    left: { whole: "counted again every hour; of people it holds ids alone" },
  },
  { name: "stage_rules", erasure: "nothing", order: ["workspace_id"] },
  { name: "scoring_models", erasure: "nothing" },
  { name: "score_queue", erasure: "cascade", left: { whole: "who is to be scored again in a moment" } },
  { name: "saved_views", erasure: "mentions" },
  { name: "bulk_actions", erasure: "mentions", left: { whole: "a log of changes that are in the other tables" } },
  { name: "bulk_action_batches", erasure: "mentions", left: { whole: "what was changed is in the other tables" } },
  { name: "exports", erasure: "mentions", left: { whole: "files made of what the other tables hold, kept for days" } },
  { name: "export_chunks", erasure: "mentions", left: { whole: "the files themselves" } },
  { name: "tombstones", erasure: "nothing" },
  { name: "entities", erasure: "cascade", entity: ["id"] },
  { name: "identifiers", erasure: "cascade", entity: ["entity_id"] },
  { name: "score_changes", erasure: "cascade", entity: ["entity_id"] },
  { name: "crm_records", erasure: "cascade", entity: ["entity_id"], order: ["provider", "account", "entity_id"] },
  { name: "lead_lists", erasure: "nothing" },
  { name: "leads", erasure: "cascade", left: { columns: ["sent_week", "wire"] }, entity: ["entity_id"] },
  // Titles of other tasks that name a person are taken out too.
  { name: "tasks", erasure: "cascade", entity: ["entity_id"] },
  { name: "merges", erasure: "cascade", entity: ["keep_id", "drop_id"] },
  // The number of a transaction means nothing outside of its database.
  { name: "observations", erasure: "cascade", left: { columns: ["written_in"] }, entity: ["entity_id"] },
  { name: "claims", erasure: "cascade", entity: ["entity_id"] },
  {
    name: "changes",
    erasure: "mentions",
    left: { whole: "the order in which what the other tables hold came about" },
  },
  { name: "change_readers", erasure: "nothing", left: { whole: "how far readers of changes are" } },
  { name: "outbox", erasure: "cascade", left: { whole: "what is still to be told of what observations hold" } },
  {
    name: "people",
    erasure: "cascade",
    left: { columns: ["search", "wire", "wire_end", "sort_name", "sort_company", "property_set"] },
    entity: ["id"],
  },
  {
    name: "companies",
    erasure: "cascade",
    left: { columns: ["search", "wire", "wire_end", "sort_name", "property_set"] },
  },
  { name: "property_values", erasure: "cascade", left: { whole: "derived from the lists' rows" } },
  { name: "notes", erasure: "cascade", entity: ["entity_id"] },
  { name: "note_parts", erasure: "cascade", left: derived },
  { name: "note_remainders", erasure: "cascade", left: derived },
  { name: "note_names", erasure: "cascade", left: derived },
  { name: "note_vectors", erasure: "cascade", left: derived },
  { name: "note_embedding_queue", erasure: "cascade", left: derived },
  { name: "mailboxes", erasure: "nothing", left: { whole: "each member's own, with its password" } },
  { name: "log_addresses", erasure: "nothing", left: { whole: "each member's own, with its token" } },
  { name: "log_refusals", erasure: "mentions", left: { whole: "each member's own, the last mails that were refused" } },
  {
    name: "mail_sign_ins",
    erasure: "nothing",
    left: { whole: "sign-ins of members that are under way, with secrets" },
  },
  { name: "mail_folders", erasure: "nothing", left: { whole: "how far mailboxes were read" } },
  {
    name: "mail_items",
    erasure: "nothing",
    left: { whole: "what was done with the messages at a server, without contents" },
  },
  { name: "mail_shares", erasure: "mentions", left: { whole: "each member's own choice" } },
  // What members share of their mail is theirs: the messages are in their mailboxes.
  { name: "messages", erasure: "mentions", left: { whole: "mail of members; its activities are on the timelines" } },
  { name: "message_holders", erasure: "mentions", left: { whole: "who has which message" } },
  {
    name: "message_contacts",
    erasure: "cascade",
    left: { whole: "which contacts a message has; its activities are on the timelines" },
  },
  { name: "relationships", erasure: "cascade", left: { whole: "counted from mail and meetings of members" } },
  { name: "message_words", erasure: "mentions", left: derived },
  { name: "calendars", erasure: "nothing", left: { whole: "each member's own, with its password" } },
  { name: "calendar_collections", erasure: "nothing", left: { whole: "how far calendars were read" } },
  // What members share of their meetings is theirs: the meetings are in their calendars.
  {
    name: "meetings",
    erasure: "mentions",
    left: { whole: "meetings of members; their activities are on the timelines" },
  },
  { name: "meeting_copies", erasure: "mentions", left: { whole: "meetings as calendars of members have them" } },
  {
    name: "meeting_contacts",
    erasure: "cascade",
    left: { whole: "which contacts a meeting has; its activities are on the timelines" },
  },
  {
    name: "meeting_activities",
    erasure: "cascade",
    left: { whole: "which activities are a calendar's; they are on the timelines" },
  },
  { name: "note_terms", erasure: "words", left: derived },
  { name: "note_postings", erasure: "words", left: derived },
  { name: "note_totals", erasure: "words", left: derived },
  {
    name: "inbound_deliveries",
    erasure: "mentions",
    left: { whole: "a log kept for days; what it brought in is in the rest" },
  },
  { name: "client_calls", erasure: "nothing", left: { whole: "counts of calls by client" } },
  { name: "hidden_items", erasure: "cascade", left: { whole: "what members do not want to see on Home for now" } },
  { name: "latest_calls", erasure: "nothing", left: { whole: "a log of calls kept for days, without contents" } },
  { name: "inbound_refusals", erasure: "nothing", left: { whole: "counts of requests that were turned away" } },
  { name: "idempotency", erasure: "mentions", left: { whole: "answers kept for 24 hours" } },
];

/** A list's place without the parameters that name the person; null when it names no one. */
export function placeWithout(place: string, names: ReadonlySet<string>): string | null {
  const parameters = new URLSearchParams(place);
  const isNamed = (value: string) => names.has(value.trim().toLowerCase());
  const kept = [...parameters].flatMap(([parameter, value]): [string, string][] => {
    if (isNamed(value)) return [];
    if (/^(property|company)\./.test(parameter)) return searched(value).some(isNamed) ? [] : [[parameter, value]];
    if (parameter !== "property" && parameter !== "company") return [[parameter, value]];
    const items = value.split(",");
    const left = items.filter((item) => !searched(decoded(item.slice(item.indexOf("=") + 1))).some(isNamed));
    return left.length === 0 && items.length > 0 ? [] : [[parameter, left.join(",")]];
  });
  const rest = new URLSearchParams(kept).toString();
  return rest === parameters.toString() ? null : rest;
}

/** The texts that a filter looks for: its value, without the operator, and each of `in`. */
function searched(value: string): string[] {
  const text = value.replace(/^(eq|contains|in):/i, "");
  return [text, ...text.split(",")];
}

/** Views that were saved before each field had a parameter join items `name=value` with commas, and encode those within one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
