import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Subject } from "../rules/standard-fields.ts";

/** Sets that are looked through. Records of a workspace have a few dozen; with more, looking costs more than it saves. */
const MOST_SETS = 1_000;

const tables = { person: "people", company: "companies" } as const;

// people_property_set_idx, companies_property_set_idx: from one set to the next, and a record with each; property_values_pkey
const withoutOf = (subject: Subject) => {
  const those = `FROM ${tables[subject]} p WHERE p.workspace_id = $workspace AND p.status = $1::entity_status`;
  return sql(
    `property_sets_of_${tables[subject]}`,
    `WITH RECURSIVE sets AS (
       (SELECT p.property_set, p.id ${those} ORDER BY p.property_set LIMIT 1)
       UNION ALL
       SELECT next.property_set, next.id FROM sets CROSS JOIN LATERAL (
         SELECT p.property_set, p.id ${those} AND p.property_set > sets.property_set ORDER BY p.property_set LIMIT 1
       ) AS next
     )
     SELECT seen.property_set AS "set", NOT EXISTS (
       SELECT FROM (SELECT v.property FROM property_values v WHERE v.workspace_id = $workspace AND v.entity_id = seen.id OFFSET 0) AS v
       WHERE v.property = ANY($2::text[])
     ) AS without
     FROM (SELECT * FROM sets LIMIT ${MOST_SETS + 1}) AS seen`,
  );
};
const without = { person: withoutOf("person"), company: withoutOf("company") };

/** The sets of properties that records have and that none of these is in; null when there are too many to look through. */
export async function findSetsWithout(
  db: Db,
  subject: Subject,
  status: "active" | "archived",
  names: readonly string[],
): Promise<string[] | null> {
  const sets = await db.query<{ set: string; without: boolean }>(without[subject], [status, names]);
  return sets.length > MOST_SETS ? null : sets.flatMap((each) => (each.without ? [each.set] : []));
}
