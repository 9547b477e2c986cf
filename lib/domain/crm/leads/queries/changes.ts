import { columnsOf } from "#lib/db/columns.ts";
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import type { Lead, Person, Prisma } from "#prisma/generated/client.ts";

// leads_pkey, then leads_entity_idx: a row that is hidden because of it goes too
const remove = sql(
  "leads_delete",
  `DELETE FROM leads d USING leads l WHERE l.workspace_id = $workspace AND l.id = ANY($1) AND NOT l.hidden
     AND d.workspace_id = $workspace AND d.entity_id = l.entity_id AND d.list_id = l.list_id RETURNING d.id, d.hidden`,
);

/** Removes leads from their lists, and returns how many. The caller holds their people. */
export const deleteLeadRows = async (db: Db, ids: readonly string[]): Promise<number> =>
  (await db.query<{ hidden: boolean }>(remove, [ids])).filter(({ hidden }) => !hidden).length;

export type NewLead = Pick<
  Lead,
  "id" | "entityId" | "email" | "name" | "company" | "linkedinUrl" | "givenScore" | "score"
> & { fields: Record<string, unknown> };

const newColumns = columnsOf<NewLead>(
  [
    ["id", "uuid", ({ id }) => id],
    ["entity_id", "uuid", ({ entityId }) => entityId],
    ["email", "text", ({ email }) => email],
    ["name", "text", ({ name }) => name],
    ["company", "text", ({ company }) => company],
    ["linkedin_url", "text", ({ linkedinUrl }) => linkedinUrl],
    ["given_score", "float8", ({ givenScore }) => givenScore],
    ["score", "float8", ({ score }) => score],
    ["fields", "jsonb", ({ fields }) => JSON.stringify(fields)],
  ],
  { first: 3 },
);

// leads_person_key, leads_email_key
const insert = sqlOfRows(
  "leads_insert",
  (limit) => `INSERT INTO leads (workspace_id, list_id, created_at, updated_at, added_as, ${newColumns.names})
   SELECT $workspace, $1, $2, $2, entity_id, ${newColumns.selected} FROM unnest(${newColumns.arrays}) AS g(${newColumns.given}) ${limit}
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** Adds leads to a list and returns the ids of those that were not in it. The caller holds their people. */
export async function insertLeads(db: Db, listId: string, at: Date, leads: readonly NewLead[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(formFor(insert, leads.length), [listId, at, ...newColumns.values(leads)]);
  return new Set(rows.map(({ id }) => id));
}

// entities_pkey
const mark = sql(
  "entities_mark_leads",
  "UPDATE entities SET is_lead = true WHERE workspace_id = $workspace AND id = ANY($1) AND NOT is_lead",
);

/** From now on, captures about these people look for their leads. The caller holds them. */
export async function markLeads(db: Db, entityIds: readonly string[]): Promise<void> {
  await db.query(mark, [entityIds]);
}

// leads_person_key, leads_email_key
const there = sql(
  "leads_there",
  `SELECT id, entity_id AS "entityId", email FROM leads WHERE workspace_id = $workspace AND list_id = $1 AND NOT hidden AND entity_id = ANY($2)
   UNION SELECT id, entity_id, email FROM leads WHERE workspace_id = $workspace AND list_id = $1 AND NOT hidden AND email = ANY($3)`,
);

/** The leads of a list that are one of these people or have one of these addresses. */
export const findThere = (db: Db, listId: string, entityIds: readonly string[], emails: readonly string[]) =>
  db.query<{ id: string; entityId: string; email: string | null }>(there, [listId, entityIds, emails]);

// people_pkey
const people = sql(
  "leads_their_people",
  `SELECT id, email, linkedin_url AS "linkedinUrl", nullif(concat_ws(' ', first_name, last_name), '') AS name, company, icp_score AS "icpScore"
   FROM people WHERE workspace_id = $workspace AND id = ANY($1)`,
);

export type KnownPerson = Pick<Person, "id" | "email" | "linkedinUrl" | "company" | "icpScore"> & {
  name: string | null;
};

export const findPeople = (db: Db, ids: readonly string[]): Promise<KnownPerson[]> =>
  db.query<KnownPerson>(people, [ids]);

// leads_entity_idx; people_pkey
const follow = sql(
  "leads_follow_scores",
  `UPDATE leads l SET score = p.icp_score / 100.0::float8, ${unchanged("l", "sent_at")} FROM people p
   WHERE l.workspace_id = $workspace AND l.entity_id = ANY($1) AND l.given_score IS NULL
     AND p.workspace_id = $workspace AND p.id = l.entity_id AND l.score IS DISTINCT FROM p.icp_score / 100.0::float8`,
);

/**
 * Takes the score of leads from their people's ICP scores, where none was given. Called when ICP scores have changed, in
 * the same transaction, by who holds the people.
 */
export async function followIcpScores(db: Db, entityIds: readonly string[]): Promise<void> {
  if (entityIds.length > 0) await db.query(follow, [entityIds]);
}

// leads_entity_idx, leads_email_key
const show = sql(
  "leads_show",
  `UPDATE leads l SET hidden = false FROM (
     SELECT DISTINCT ON (entity_id, list_id) id FROM leads f
     WHERE f.workspace_id = $workspace AND f.entity_id = ANY($1) AND NOT EXISTS (
       SELECT FROM leads o WHERE o.workspace_id = $workspace AND o.list_id = f.list_id AND o.email = f.email AND NOT o.hidden AND o.entity_id <> f.entity_id)
     ORDER BY entity_id, list_id, array_position('{replied,sent,bounced,pending}'::lead_status[], status), created_at, id
   ) AS first WHERE l.workspace_id = $workspace AND l.id = first.id`,
);

/**
 * Gives the leads of one person to another. Of a list that then has both, the one that is furthest is shown; the other
 * stays as it is, for when the merge is undone. `addedAs`: only leads that were added as one of these.
 */
export async function giveLeads(db: Db, from: string, to: string, addedAs: readonly string[] | null): Promise<void> {
  const both = [from, to];
  await db.prisma.lead.updateMany({ where: { entityId: { in: both } }, data: { hidden: true } });
  await db.prisma.lead.updateMany({
    where: { entityId: from, ...(addedAs === null ? {} : { addedAs: { in: [...addedAs] } }) },
    data: { entityId: to },
  });
  await db.query(show, [both]);
}

/** Marks a person whose record another, who may be a lead, becomes part of. */
export async function markLike(db: Db, id: string, other: string): Promise<void> {
  if (await db.prisma.entity.findFirst({ where: { id: other, isLead: true }, select: { id: true } }))
    await db.prisma.entity.updateMany({ where: { id, isLead: false }, data: { isLead: true } });
}

// leads_pkey
const imported = sql(
  "leads_mark_imported",
  `UPDATE leads l SET import_id = $1, ${unchanged("l", "sent_at")} WHERE l.workspace_id = $workspace AND l.id = ANY($2::uuid[])`,
);

/** Remembers which import added these leads. */
export async function markImported(db: Db, importId: string, leadIds: readonly string[]): Promise<void> {
  await db.query(imported, [importId, leadIds]);
}

/** Removes leads with which nothing happened since they were added; returns how many. */
const removeSome = async (db: Db, which: Prisma.LeadWhereInput): Promise<number> =>
  (
    await db.prisma.lead.deleteMany({
      where: {
        ...which,
        status: "pending",
        replyOutcome: null,
        updatedAt: { equals: db.prisma.lead.fields.createdAt },
      },
    })
  ).count;

/** Takes leads that a bulk action added out of their list, as long as nothing happened with them since. Returns how many. */
export const removeUntouchedLeads = (db: Db, ids: readonly string[]): Promise<number> =>
  removeSome(db, { id: { in: [...ids] } });

/** Takes leads that an import added out of their list, as long as nothing happened with them since. */
export async function removeImportedLeads(db: Db, importId: string, peopleIds: readonly string[]): Promise<void> {
  await removeSome(db, { importId, entityId: { in: [...peopleIds] } });
}
