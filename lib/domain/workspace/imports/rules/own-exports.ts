import type { ImportKind } from "../contract.ts";
import type { ImportField } from "../words.ts";

/** What a column of a file that Rapport exported is; null: Rapport writes it itself. */
type Own = Readonly<Record<string, ImportField | null>>;

const times: Own = { last_activity_at: null, created_at: null, updated_at: null };
const derived: Own = { id: null, icp_score: null, status: null, source: null, ...times };

/** What tells the exports from other files, and their columns beside those that any file may have. */
const exports: readonly { kind: ImportKind; marks: readonly string[]; columns: Own }[] = [
  {
    kind: "people",
    marks: ["id", "email", "pipeline_stage", "company_id"],
    columns: { ...derived, company_id: null, pipeline_stage: "stage", owner: "owner" },
  },
  {
    kind: "people",
    marks: ["id", "lead_list_id", "entity_id"],
    columns: {
      ...{ id: null, lead_list_id: null, entity_id: null, status: null, sent_at: null, replied_at: null },
      ...{ reply_outcome: null, scorecard_score: null, created_at: null },
    },
  },
  {
    kind: "companies",
    marks: ["id", "domain", "people_count"],
    columns: { ...derived, people_count: null, owner: "owner" },
  },
  {
    kind: "notes",
    marks: ["id", "entity_id", "content"],
    columns: {
      ...{ id: "note_id", entity_id: null, entity_name: null, entity_detail: "email", type: "type", title: "title" },
      ...{ date: "date", source: null, created_at: null, content: "content" },
    },
  },
  {
    kind: "activities",
    marks: ["id", "observed_at", "entity_id", "property", "value"],
    columns: {
      ...{ id: "activity_id", type: "type", summary: "summary", observed_at: "date", entity_id: null },
      ...{ entity_name: "name", entity_type: null, detail: "email", source: "source", property: "event" },
      ...{ value: "value", recorded_at: null, external_id: "external_id", linkedin_url: "linkedin_url" },
    },
  },
];

function exportsLike(headers: readonly string[]) {
  const names = new Set(headers.map((header) => header.trim()));
  return exports.filter(({ marks }) => marks.every((mark) => names.has(mark)));
}

/** Whether Rapport exported the file with these headers. */
export const isExport = (headers: readonly string[]): boolean => exportsLike(headers).length > 0;

/** The columns of a file that Rapport exported, by header; null when it is another file. */
export function ownExport(kind: ImportKind, headers: readonly string[]): Own | null {
  const those = exportsLike(headers);
  const own = those.find((one) => one.kind === kind);
  if (own) return own.columns;
  // Its contacts could be taken for the rows of another kind.
  const activities = those.find((one) => one.kind === "activities");
  return activities ? Object.fromEntries(Object.keys(activities.columns).map((name) => [name, null])) : null;
}
