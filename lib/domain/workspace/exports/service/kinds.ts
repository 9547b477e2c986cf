import type { Caller } from "#lib/core/context.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { findLeadColumns, listLeads } from "#lib/domain/crm/leads/service.ts";
import { listCompanies, listPeople, listProperties } from "#lib/domain/crm/people/service.ts";
import { findExternalIds } from "#lib/domain/crm/timeline/service.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { browseActivities } from "#lib/domain/knowledge/feed/service.ts";
import { findContents, listNotes } from "#lib/domain/knowledge/notes/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import type { ExportKind } from "../contract.ts";
import { leadFields, type Own, ownColumns, properties, type Row } from "../rules.ts";

/** A list that can be exported: the operation that pages it, and what a file has of its rows. */
export type Kind = {
  list: Operation;
  /** The field of the answer that has the rows. */
  rows: string;
  /** Rows of a page: as many as the list gives, fewer where they are long. */
  page: number;
  /** The fields of a row, in the order of the columns. */
  fields: readonly string[];
  /** What the workspace added to its rows, and the columns of it that there are. */
  own?: Own;
  custom?(caller: Caller, db: Db): Promise<string[]>;
  /** Rows of the file, given those of the list. */
  complete?(db: Db, rows: readonly Row[]): Promise<readonly Row[]>;
};

/** The one table of what can be exported. */
export const kinds: Readonly<Record<ExportKind, Kind>> = {
  people: {
    list: listPeople as unknown as Operation,
    rows: "people",
    page: 1_000,
    fields: [
      "id",
      "email",
      "first_name",
      "last_name",
      "job_title",
      "company",
      "company_id",
      "linkedin_url",
      "phone",
      "owner",
      "pipeline_stage",
      "icp_score",
      "status",
      "source",
      "last_activity_at",
      "created_at",
      "updated_at",
    ],
    own: properties,
    custom: (caller, db) => customOf(caller, db, "person"),
  },
  companies: {
    list: listCompanies as unknown as Operation,
    rows: "companies",
    page: 1_000,
    fields: [
      "id",
      "domain",
      "name",
      "linkedin_url",
      "industry",
      "employee_count",
      "country",
      "owner",
      "people_count",
      "icp_score",
      "status",
      "source",
      "last_activity_at",
      "created_at",
      "updated_at",
    ],
    own: properties,
    custom: (caller, db) => customOf(caller, db, "company"),
  },
  notes: {
    list: listNotes as unknown as Operation,
    rows: "notes",
    page: 10, // a note may have 2 million characters
    fields: [
      "id",
      "entity_id",
      "entity_name",
      "entity_detail",
      "type",
      "title",
      "date",
      "source",
      "created_at",
      "content",
    ],
    complete: wholeNotes,
  },
  activities: {
    list: browseActivities as unknown as Operation,
    rows: "activities",
    page: 200,
    fields: [
      "id",
      "type",
      "summary",
      "observed_at",
      "entity_id",
      "entity_name",
      "entity_type",
      "detail",
      "source",
      "property",
      "value",
      "recorded_at",
      "external_id",
      "linkedin_url",
    ],
    complete: wholeActivities,
  },
  leads: {
    list: listLeads as unknown as Operation,
    rows: "leads",
    page: 1_000,
    fields: [
      "id",
      "lead_list_id",
      "entity_id",
      "email",
      "name",
      "company",
      "linkedin_url",
      "status",
      "sent_at",
      "replied_at",
      "reply_outcome",
      "scorecard_score",
      "created_at",
    ],
    own: leadFields,
    custom: async (_caller, db) => ownColumns(leadFields, await findLeadColumns(db)),
  },
};

async function customOf(caller: Caller, db: Db, subject: "person" | "company"): Promise<string[]> {
  const prepared = await listProperties.prepare(caller, { subject });
  const answer = (await prepared.run(db)) as { properties: { name: string; standard: boolean }[] };
  return ownColumns(
    properties,
    answer.properties.filter(({ standard }) => !standard).map(({ name }) => name),
  );
}

/** Notes with their whole content, and whose they are. */
async function wholeNotes(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const contents = await findContents(
    db,
    rows.map(({ id }) => id as string),
  );
  const labels = await findLabels(
    db,
    rows.map((row) => row.entity_id as string),
  );
  return rows.map((row) => {
    const { doc_type, title, date } = row.metadata as Row;
    const label = labels.get(row.entity_id as string);
    return {
      id: row.id,
      entity_id: row.entity_id,
      entity_name: label ? nameOf(label) : null,
      entity_detail: label?.email ?? label?.domain ?? null,
      type: doc_type,
      title,
      date,
      source: row.source,
      created_at: row.created_at,
      content: contents.get(row.id as string) ?? "",
    };
  });
}

/** Activities with what finds them and their contacts again. */
async function wholeActivities(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const [ids, labels] = await together([
    findExternalIds(
      db,
      rows.map(({ id }) => id as string),
    ),
    findLabels(
      db,
      rows.map((row) => row.entity_id as string),
    ),
  ]);
  return rows.map((row) => ({
    ...row,
    external_id: ids.get(row.id as string) ?? null,
    linkedin_url: labels.get(row.entity_id as string)?.linkedinUrl ?? null,
  }));
}
