/**
 * The tables that are written or read with contacts, with deliveries, or with every request, and that benches time: their
 * queries are SQL. The others are asked through Prisma (docs/decisions/0111-sql-where-it-is-hot.md).
 */
export const HOT_TABLES: readonly string[] = [
  // what is known of contacts: bench/capture, bench/contacts, bench/records, bench/facts
  ...["entities", "identifiers", "people", "companies", "observations", "claims", "property_values"],
  // notes and their index: bench/notes
  ...["notes", "note_names", "note_parts", "note_terms", "note_postings", "note_totals", "note_vectors"],
  "note_embedding_queue",
  // scores of contacts: bench/scoring
  ...["score_queue", "score_changes"],
  // leads: bench/leads
  "leads",
  // the rows of files: bench/imports
  ...["import_chunks", "import_batches"],
  // mail, read by the ten thousand: bench/mail
  ...["messages", "message_holders", "message_contacts", "message_words", "mail_items", "relationships"],
  // meetings, read with the records that they are on
  ...["meetings", "meeting_copies", "meeting_contacts", "meeting_activities"],
  // what happened, and who is told: bench/changes, bench/triggers, bench/inbound
  ...["changes", "change_readers", "outbox", "triggers", "trigger_deliveries", "inbound_deliveries"],
  // each request: how often, and the answer that is kept for a repeat
  ...["oauth_tokens", "client_calls", "latest_calls", "idempotency"],
];

/** What Prisma cannot say, by the words of a statement that says it. */
export const UNSAYABLE: readonly { what: string; words: RegExp }[] = [
  { what: "a lock on rows", words: /\bFOR (NO KEY )?UPDATE\b|\bFOR (KEY )?SHARE\b/ },
  { what: "a conflict that is settled by the row there is", words: /\bON CONFLICT\b[^;]*\bDO UPDATE\b/ },
  { what: "a window over rows", words: /\bOVER \(/ },
  { what: "a walk whose length is not known", words: /\bWITH RECURSIVE\b/ },
  { what: "rows given as arrays", words: /\b(FROM|JOIN) unnest\(/ },
];

/** Statements on other tables that stay SQL, each with its reason. */
export const SPEAKS_SQL: Readonly<Record<string, string>> = {
  api_key_by_hash: "by proof, before the workspace is known",
  api_key_replace: "compares a column with the clock that authentication compares it with",
  approvals_expire: "sets one column to another",
  audit_added_by_id: "looks for an id in the arrays of other rows",
  audit_entries_of_block: "compares the place of an entry, transaction and id, as one value",
  audit_entries_remove: "compares the place of an entry, transaction and id, as one value",
  audit_unsealed: "compares the place of an entry, transaction and id, as one value",
  audit_unsealed_by_id: "looks for an id in the arrays of other rows",
  audit_unsealed_by_id_count: "looks for an id in the arrays of other rows",
  audit_unsealed_count: "compares the place of an entry, transaction and id, as one value",
  bulk_action_batches_forget: "takes ids out of an array and keys out of JSON",
  connection_delivered: "each delivery that comes in sends it; what it sets depends on what is there",
  export_append: "the row's lock and the piece are one statement, so that a run which lost its file writes nothing",
  export_chunks_sweep: "deletes a limited number of rows by a join",
  export_piece: "a megabyte of bytes, which Prisma would read as text first",
  export_workspace: "a row as JSON, with all its columns",
  import_advance: "sent with the COMMIT of each batch of an import",
  inbound_refusals_forgive: "sent with the COMMIT of a delivery",
  invitation_by_token: "by proof, before the workspace is known",
  lead_list_columns: "takes names out of arrays, in the order in which the database compares them",
  members_named: "each batch of an import sends it",
  note_remainder_insert: "sent with the COMMIT of the note",
  oauth_code_by_hash: "by proof, before the workspace is known",
  saved_views_of_list: "in the order of lower-case names, as the database compares them",
  session_live: "each request from a browser sends it",
  session_memberships: "by proof, before the workspace is known",
  stage_rules_find: "each write about people reads it, in one group of statements",
  task: "a row as JSON, the same as the pages of tasks have it",
  tasks_open_of_entity: "read with a context, in one group of statements",
  tombstones_any: "each batch of an import and each delivery that comes in sends it",
  tombstones_find: "the hashes of a whole batch of an import, as one array",
  workspace_card: "one of the three answers to one question, the others of which are about hot tables",
};
