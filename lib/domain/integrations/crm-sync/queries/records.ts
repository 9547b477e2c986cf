import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { FieldHashes } from "../rules/contacts.ts";

/** A portal of a CRM. */
export type Portal = { provider: string; portal: string };

/** A person's link; the hashes are of what was pushed now, and are added to those of before. */
export type Link = { entityId: string; recordId: string; recordUrl: string | null; pushed: FieldHashes };

// crm_records_record_key: a record that is someone else's already is not taken from them
const link = sql(
  "crm_record_link",
  `INSERT INTO crm_records AS m (workspace_id, provider, account, entity_id, record_id, record_url, pushed, updated_at)
   SELECT $workspace, $1, $2, n.entity_id, n.record_id, n.record_url, n.pushed::jsonb, now()
   FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS n(entity_id, record_id, record_url, pushed)
   WHERE NOT EXISTS (SELECT FROM crm_records o WHERE o.workspace_id = $workspace AND o.provider = $1 AND o.account = $2
     AND o.record_id = n.record_id AND o.entity_id <> n.entity_id)
   ON CONFLICT (workspace_id, provider, account, entity_id) DO UPDATE SET record_id = excluded.record_id,
     record_url = coalesce(excluded.record_url, m.record_url), pushed = m.pushed || excluded.pushed, gone_at = NULL, updated_at = excluded.updated_at
   RETURNING entity_id AS id`,
);

/** Links people to records, and returns who is linked: a record that is someone else's already stays theirs. */
export async function linkRecords(
  db: Db,
  { provider, portal }: Portal,
  links: readonly Link[],
): Promise<ReadonlySet<string>> {
  // Two people of one batch may be the same record: the first gets it.
  const first = links.filter((one, index) => links.findIndex(({ recordId }) => recordId === one.recordId) === index);
  const values = [
    first.map(({ entityId }) => entityId),
    first.map(({ recordId }) => recordId),
    first.map(({ recordUrl }) => recordUrl),
    first.map(({ pushed }) => JSON.stringify(pushed)),
  ];
  const rows = first.length === 0 ? [] : await db.query<{ id: string }>(link, [provider, portal, ...values]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The record of someone who was merged into a person becomes the person's. Who has a record of their own keeps that one: after
 * the merge is undone it is theirs again.
 */
export async function moveRecord(
  db: Db,
  { provider, portal }: Portal,
  { entityId, recordId, absorbed }: { entityId: string; recordId: string; absorbed: readonly string[] },
): Promise<void> {
  const others = absorbed.filter((id) => id !== entityId);
  if (others.length === 0 || (await db.prisma.crmRecord.count({ where: { provider, portal, entityId } })) > 0) return;
  await db.prisma.crmRecord.updateMany({
    where: { provider, portal, recordId, entityId: { in: others } },
    data: { entityId, updatedAt: new Date() },
  });
}

/** The CRM says that the record was deleted, or that it is there again. */
export async function markGone(
  db: Db,
  { provider, portal }: Portal,
  entityIds: readonly string[],
  isGone: boolean,
): Promise<void> {
  const now = new Date();
  await db.prisma.crmRecord.updateMany({
    where: { provider, portal, entityId: { in: [...entityIds] }, goneAt: isGone ? null : { not: null } },
    data: { goneAt: isGone ? now : null, updatedAt: now },
  });
}

/** A field is to be pushed again. Runs of a CRM come one after the other, so no one else writes what was pushed. */
export async function forgetField(
  db: Db,
  { provider, portal }: Portal,
  entityId: string,
  field: keyof FieldHashes,
): Promise<void> {
  const where = { provider, portal, entityId };
  const record = await db.prisma.crmRecord.findFirst({ where, select: { pushed: true } });
  if (!record) return;
  const { [field]: _forgotten, ...pushed } = record.pushed as FieldHashes;
  await db.prisma.crmRecord.updateMany({ where, data: { pushed, updatedAt: new Date() } });
}

/** How many people are linked, by CRM and portal. */
export async function countLinked(db: Db): Promise<(Portal & { linked: number })[]> {
  const counted = await db.prisma.crmRecord.groupBy({
    by: ["provider", "portal"],
    where: { goneAt: null },
    _count: true,
  });
  return counted.map(({ _count: linked, ...of }) => ({ ...of, linked }));
}
