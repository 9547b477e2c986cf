import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { CustomValue } from "#lib/domain/crm/recording/contract.ts";
import { type StandardField, type Subject, standardFields } from "../rules/standard-fields.ts";

/** Sources that are looked through for those a filter means. */
const MOST_SOURCES = 1_000;

const tables = { person: "people", company: "companies" } as const;

// people_source_activity_idx: from one source to the next. Companies are few, and read whole.
const sourcesWithin = (subject: Subject, status: "active" | "archived") => {
  const first = (more: string) =>
    `SELECT p.source FROM ${tables[subject]} p WHERE p.workspace_id = $workspace AND p.status = '${status}' ${more} ORDER BY p.source LIMIT 1`;
  return `found_${status} AS (
     (${first("")}) UNION ALL SELECT next.source FROM found_${status} AS f CROSS JOIN LATERAL (${first("AND p.source > f.source")}) AS next
   )`;
};
const sourcesOf = (subject: Subject) =>
  sql(
    `sources_of_${tables[subject]}`,
    `WITH RECURSIVE ${sourcesWithin(subject, "active")}, ${sourcesWithin(subject, "archived")}
     SELECT source FROM (SELECT source FROM found_active LIMIT ${MOST_SOURCES}) AS active
     UNION SELECT source FROM (SELECT source FROM found_archived LIMIT ${MOST_SOURCES}) AS archived`,
  );
const sources = { person: sourcesOf("person"), company: sourcesOf("company") };

/** Where records came from, each once. */
export const findSources = async (db: Db, subject: Subject): Promise<string[]> =>
  (await db.query<{ source: string }>(sources[subject])).map(({ source }) => source);

/** Up to so many records with a property are counted, and so many records are looked at for the standard ones. */
export const MOST_COUNTED = 10_000;
/** Custom properties of people, and of companies. */
const MOST_NAMES = 200;
const MOST_SAMPLED = 20;

export type OwnProperty = { name: string; count: number; values: CustomValue[] };

// property_values_name_idx: from one name to the next, then along each; people_pkey, companies_pkey
const ownOf = (subject: Subject) =>
  sql(
    `properties_of_${tables[subject]}`,
    `WITH RECURSIVE names AS (
       (SELECT v.property FROM property_values v WHERE v.workspace_id = $workspace AND v.subject = '${subject}' ORDER BY v.property LIMIT 1)
       UNION ALL
       SELECT next.property FROM names CROSS JOIN LATERAL (
         SELECT v.property FROM property_values v WHERE v.workspace_id = $workspace AND v.subject = '${subject}'
           AND v.property > names.property ORDER BY v.property LIMIT 1
       ) AS next
     ), own AS (
       SELECT property FROM names WHERE property <> ALL($1::text[]) LIMIT ${MOST_NAMES}
     )
     SELECT own.property AS name, counted.n AS count, sampled.values FROM own
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS n FROM (
         SELECT FROM property_values v WHERE v.workspace_id = $workspace AND v.subject = '${subject}' AND v.property = own.property
         LIMIT ${MOST_COUNTED + 1}
       ) AS seen
     ) AS counted
     CROSS JOIN LATERAL (
       SELECT coalesce(jsonb_agg(p.custom -> own.property), '[]') AS values FROM (
         SELECT v.entity_id FROM property_values v WHERE v.workspace_id = $workspace AND v.subject = '${subject}' AND v.property = own.property
         LIMIT ${MOST_SAMPLED}
       ) AS seen JOIN ${tables[subject]} p ON p.workspace_id = $workspace AND p.id = seen.entity_id
     ) AS sampled
     ORDER BY 1`,
  );
const own = { person: ownOf("person"), company: ownOf("company") };

/** The custom properties that records have: how many, and some of the values. */
export const findOwnProperties = (db: Db, subject: Subject): Promise<OwnProperty[]> =>
  db.query<OwnProperty>(own[subject], [standardFields[subject].map(({ name }) => name)]);

export type FieldFigures = { count: number; least: string | number | null; most: string | number | null };

const figuresOf = ({ name, type }: StandardField): string => {
  const shown = type === "date" ? `to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : "%s";
  const end = (which: "min" | "max") => shown.replace("%s", `${which}(${name})`);
  return `'${name}', jsonb_build_object('count', count(${name}), 'least', ${end("min")}, 'most', ${end("max")})`;
};

// people_created_idx, companies_created_idx: the newest
const standardOf = (subject: Subject) =>
  sql(
    `fields_of_${tables[subject]}`,
    `SELECT jsonb_build_object('', jsonb_build_object('count', count(*)), ${standardFields[subject].map(figuresOf).join(", ")}) AS figures
     FROM (SELECT * FROM ${tables[subject]} WHERE workspace_id = $workspace AND status = 'active' ORDER BY created_at DESC, id DESC LIMIT ${MOST_COUNTED}) AS newest`,
  );
const standard = { person: standardOf("person"), company: standardOf("company") };

/**
 * How many of the newest active records have a value in each standard field, with the first and the last in order;
 * under the empty name how many records those are.
 */
export async function findFieldFigures(db: Db, subject: Subject): Promise<Readonly<Record<string, FieldFigures>>> {
  const [row] = await db.query<{ figures: Record<string, FieldFigures> }>(standard[subject]);
  return row?.figures ?? {};
}
