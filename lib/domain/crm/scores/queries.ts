import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import type { Signal } from "./contract.ts";
import type { CompanyFacts, PersonFacts } from "./rules/features.ts";

export type Model = { version: number; signals: Signal[] };

// scoring_models_workspace_id_version_key
const MODEL =
  "SELECT version, signals FROM scoring_models WHERE workspace_id = $workspace ORDER BY version DESC LIMIT 1";

/** The workspace's scoring model; null when it has none. */
export const findModel = (db: Db): Promise<Model | null> =>
  db.prisma.scoringModel.findFirst({
    select: { version: true, signals: true },
    orderBy: { version: "desc" },
  }) as Promise<object | null> as Promise<Model | null>;

/** What the scorer needs of a row, with the company a person is linked to. */
const PERSON_FACTS = `p.job_title AS "jobTitle", p.company, p.custom`;
const COMPANY_FACTS = `c.id AS "companyId", c.name AS "companyName", c.industry, c.employee_count AS "employeeCount", c.country, c.custom AS "companyCustom"`;

type PersonColumns = { jobTitle: string | null; company: string | null; custom: Record<string, unknown> };
type CompanyColumns = {
  companyId: string | null;
  companyName: string | null;
  industry: string | null;
  employeeCount: number | null;
  country: string | null;
  companyCustom: Record<string, unknown>;
};

export const personFactsOf = (row: PersonColumns & CompanyColumns): PersonFacts => ({
  jobTitle: row.jobTitle,
  company: row.company,
  custom: row.custom,
  employer: row.companyId === null ? null : companyFactsOf(row),
});

export const companyFactsOf = (row: CompanyColumns): CompanyFacts => ({
  name: row.companyName,
  industry: row.industry,
  employeeCount: row.employeeCount,
  country: row.country,
  custom: row.companyCustom,
});

/** The current model, for a statement that selects `PERSON_SEEN` or `COMPANY_SEEN`; its columns are null when there is none. */
export const JOIN_MODEL = `LEFT JOIN (${MODEL}) AS m ON true`;
// Its signals stay text: they are read once a version.
const MODEL_SEEN = `m.version, m.signals::text AS signals`;
/** What the current model `m` sees of a person `p` with their company `c`. */
export const PERSON_SEEN = `${MODEL_SEEN}, ${PERSON_FACTS}, ${COMPANY_FACTS}`;
/** What the current model `m` sees of a company `c`. */
export const COMPANY_SEEN = `${MODEL_SEEN}, ${COMPANY_FACTS}`;

type ModelColumns = { version: number | null; signals: string | null };
export type PersonToFit = ModelColumns & PersonColumns & CompanyColumns;
export type CompanyToFit = ModelColumns & CompanyColumns;

// score_changes_entity_idx
const at = sql(
  "score_at",
  `SELECT score FROM score_changes WHERE workspace_id = $workspace AND entity_id = $1 AND at <= $2 ORDER BY at DESC, id DESC LIMIT 1`,
);

/** The score that someone had at a moment; undefined when it had not been scored yet. */
export const findScoreAt = async (db: Db, entityId: string, moment: Date): Promise<number | null | undefined> =>
  (await db.query<{ score: number | null }>(at, [entityId, moment]))[0]?.score;

const FACTS_OF_PEOPLE = `SELECT p.id, p.icp_score AS score, p.scored, p.source, ${PERSON_FACTS}, ${COMPANY_FACTS} FROM people p
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = p.company_id WHERE p.workspace_id = $workspace`;
const FACTS_OF_COMPANIES = `SELECT c.icp_score AS score, c.scored, c.source, ${COMPANY_FACTS} FROM companies c WHERE c.workspace_id = $workspace`;

type Standing = { score: number | null; scored: boolean; source: string };
export type PersonToScore = Standing & PersonColumns & CompanyColumns & { id: string };
export type CompanyToScore = Standing & CompanyColumns & { companyId: string };

/** What the scorer reads of a table. */
function batchesOf<Row extends object>(table: "people" | "companies", facts: string, row: string) {
  // people_pkey, companies_pkey: from an id on
  const after = sql(`score_${table}_after`, `${facts} AND ${row}.id > $1 ORDER BY ${row}.id LIMIT $2`);
  // people_pkey, companies_pkey
  const byIds = sql(`score_${table}_given`, `${facts} AND ${row}.id = ANY($1::uuid[])`);
  // The table of the workspace is read whole, once after each change of the model.
  const missed = sql(`score_${table}_missed`, `${facts} AND NOT ${row}.scored LIMIT $1`);
  return {
    /** A batch in the order of ids. */
    after: (db: Db, id: string, limit: number) => db.query<Row>(after, [id, limit]),
    given: (db: Db, ids: readonly string[]) => db.query<Row>(byIds, [ids]),
    /** Some that have no score. */
    missed: (db: Db, limit: number) => db.query<Row>(missed, [limit]),
  };
}

export const peopleToScore = batchesOf<PersonToScore>("people", FACTS_OF_PEOPLE, "p");
export const companiesToScore = batchesOf<CompanyToScore>("companies", FACTS_OF_COMPANIES, "c");

// scoring_models_workspace_id_version_key
const mark = sqlOfRows(
  "score_queue_mark",
  (
    limit,
  ) => `INSERT INTO score_queue (workspace_id, entity_id) SELECT $workspace, id FROM unnest($1::uuid[]) AS changed(id)
   WHERE EXISTS (SELECT FROM scoring_models WHERE workspace_id = $workspace) ${limit} RETURNING NULL`,
);

/** Queues entities to be scored again, if the workspace has a model; sent with the COMMIT. */
export const deferMark = (db: Db, ids: readonly string[]): Promise<object[]> =>
  db.defer(formFor(mark, ids.length), [ids]);
