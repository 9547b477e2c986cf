import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { CustomValue } from "#lib/domain/crm/recording/contract.ts";
import { literal } from "../rules/search.ts";
import type { StandardField, Subject } from "../rules/standard-fields.ts";
import { MOST_COUNTED } from "./properties.ts";

const tables = { person: "people", company: "companies" } as const;

/** Different values that are looked through for those to be shown. */
const MOST_DIFFERENT = 500;

/** A value as it is compared, how many have it, and what a record with it has. */
export type ValueRow = { folded: string; records: number; seen: number; sample: CustomValue | null };

// property_values_name_idx, property_values_text_idx for a search; people_pkey, companies_pkey. Which one depends on how rare
// the text is, so it is planned each time.
const keptOf = (subject: Subject, value: string) =>
  sql(
    "",
    `WITH seen AS MATERIALIZED (
       SELECT v.entity_id, v.folded FROM property_values v
       WHERE v.workspace_id = $workspace AND v.subject = '${subject}' AND v.property = $1 AND v.folded LIKE $2 LIMIT ${MOST_COUNTED + 1}
     ), counted AS (
       SELECT item.folded, count(*)::int AS records, min(seen.entity_id::text)::uuid AS entity_id FROM seen
       CROSS JOIN LATERAL unnest(string_to_array(trim(BOTH E'\\n' FROM seen.folded), E'\\n')) AS item(folded)
       WHERE item.folded LIKE $2 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $3
     )
     SELECT counted.folded, counted.records, (SELECT count(*)::int FROM seen) AS seen, ${value} AS sample FROM counted
     JOIN ${tables[subject]} p ON p.workspace_id = $workspace AND p.id = counted.entity_id
     ORDER BY counted.records DESC, counted.folded`,
  );
const custom = { person: keptOf("person", "p.custom -> $1"), company: keptOf("company", "p.custom -> $1") };

/** The values of a property among `property_values`; those that contain a folded text. */
export const findKeptValues = (
  db: Db,
  subject: Subject,
  name: string,
  field: StandardField | null,
  part: string,
  most: number,
) =>
  db.query<ValueRow>(field ? keptOf(subject, `to_jsonb(p.${field.name})`) : custom[subject], [
    name,
    `%${literal(part)}%`,
    most,
  ]);

// people_created_idx, companies_created_idx: the newest; people_search_idx, companies_search_idx for a search
const shownOf = (subject: Subject, column: string) =>
  sql(
    "",
    `WITH seen AS MATERIALIZED (
       SELECT p.${column} AS value FROM ${tables[subject]} p
       WHERE p.workspace_id = $workspace AND p.status = 'active' AND p.search LIKE $1 ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST_COUNTED + 1}
     )
     SELECT value::text AS folded, count(*)::int AS records, (SELECT count(*)::int FROM seen) AS seen, to_jsonb(value) AS sample
     FROM seen WHERE value IS NOT NULL GROUP BY value ORDER BY 2 DESC, 1 LIMIT ${MOST_DIFFERENT}`,
  );

/** The values of a column of the newest active records; `part`: of those in whose search text it is. */
export const findShownValues = (db: Db, subject: Subject, column: string, part: string): Promise<ValueRow[]> =>
  db.query<ValueRow>(shownOf(subject, column), [`%${literal(part)}%`]);
