/**
 * Statements that read more than ten times what they return, change or are asked about, each with its reason. The others look up what
 * they are about, however large the workspace is.
 */
export const readsMuch: Readonly<Record<string, string>> = {
  changes_page_of_types: "rare kinds are looked for among the latest 20,000 changes, and the cursor goes on from there",
  companies_derive: "the people of a company are counted",
  contacts_near_name: "up to 2,000 names that begin alike are compared with one that is not there",
  contacts_by_name: "a name without three letters in a row is looked for among everyone",
  crm_run_list_people: "a run compares everyone",
  fields_of_companies: "the fields that are filled are looked for in the first 10,000",
  fields_of_people: "the fields that are filled are looked for in the first 10,000",
  latest_calls_has: "a workspace has a row for each of its keys",
  latest_calls_remove: "a workspace has a row for each of its keys",
  merge_suggestions: "everyone is compared with everyone, when a person asks for duplicates",
  people_by_name_at: "a name and a company without three letters in a row are looked for among everyone",
  messages_last_thread_of_company: "the latest message of each of a company's most active people is looked for",
  properties_of_companies: "up to 10,000 with each property are counted",
  properties_of_people: "up to 10,000 with each property are counted",
  relationships_of_company: "the people of a company are looked through for those whom a member knows",
  sample_counts: "up to 10,000 of one's own are counted beside the sample",
  score_companies_missed: "everyone is looked through once after a change of the model",
  score_people_missed: "everyone is looked through once after a change of the model",
  subjects_read: "a record has some twelve identifiers and claims, its company's row among them",
  timeline_counts: "events of a company's people are counted by their kind",
  timeline_of_company: "a page of each of a company's people is merged into one",
  unscore_companies: "scores are taken off everyone after the model was removed",
  unscore_people: "scores are taken off everyone after the model was removed",
};

/**
 * Before Postgres 17 these do so too, where they are planned for 200 given ids: the look-ups of a list are counted one by one, so reading
 * the workspace seems cheaper. A connection plans each of them so five times, and in the steps of imports and bulk actions never.
 */
export const readsMuchBefore17: readonly string[] = [
  "companies_derive_latest",
  "crm_entries_count",
  "crm_entry_next",
  "entities_by_ids",
  "entities_delete",
  "entities_mark_leads",
  "entities_set_status",
  "identifiers_retire",
  "identifiers_take_back",
  "latest_of_entities",
  "meetings_reported",
  "messages_last_thread_many",
  "messages_threads_of_contacts",
  "overview_trends",
  "relationships_count",
  "score_companies",
  "score_people",
  "score_queue_return",
  "trigger_event_claims",
];
