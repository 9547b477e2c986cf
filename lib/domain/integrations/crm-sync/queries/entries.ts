import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { pushedActivities, type Source } from "../rules/entries.ts";
import type { Portal } from "./records.ts";

/** Longer notes are cut: no CRM takes them. */
const MOST_TEXT = 60_000;

/** Notes and activities of some people, but those of the CRM itself and of samples. */
const SOURCES = `SELECT n.id, n.entity_id, NULL::text AS property, n.title, left(n.content, ${MOST_TEXT}) AS text, n.source, n.date AS at, NULL::text AS end
     FROM notes n WHERE n.workspace_id = $workspace AND n.entity_id = ANY($3::uuid[]) AND n.source NOT IN ('sample', $1)
   UNION ALL
   SELECT o.id, o.entity_id, o.property, NULL, o.value ->> 'description', o.source, o.observed_at, o.value -> 'metadata' ->> 'end'
     FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = ANY($3::uuid[]) AND o.kind = 'event'
     AND o.property = ANY($4::text[]) AND o.source NOT IN ('sample', $1)`;

const LEFT = `LEFT JOIN crm_pushes d ON d.workspace_id = $workspace AND d.provider = $1 AND d.account = $2 AND d.source_id = s.id
   WHERE (d.source_id IS NULL OR (d.remote_id IS NULL AND (d.problem IS NULL OR ($5 AND d.begun_at < $6))))`;

// notes_entity_date_idx, observations_workspace_id_entity_id_property_seq_idx, crm_pushes_pkey
const next = sql(
  "crm_entry_next",
  `SELECT s.id, s.property, s.title, s.text, s.source, s.at, s.end, s.entity_id AS "entityId", d.source_id IS NOT NULL AND d.problem IS NULL AS begun
   FROM (${SOURCES}) AS s ${LEFT} ORDER BY s.at, s.id LIMIT 1`,
);

type OfRun = Portal & { everyone: boolean; createdAt: Date };

export type NextEntry = Source & { entityId: string; begun: boolean };

/**
 * The oldest note or activity of these people that was not pushed. `begun`: it may have been, no one heard the answer.
 * `everyone`: also what was refused before this run.
 */
export async function findNextEntry(
  db: Db,
  { provider, portal, everyone, createdAt }: OfRun,
  ids: readonly string[],
): Promise<NextEntry | null> {
  const values = [provider, portal, ids, pushedActivities, everyone, createdAt];
  return (await db.query<NextEntry>(next, values))[0] ?? null;
}

// as above
const count = sql(
  "crm_entries_count",
  `SELECT s.entity_id AS "entityId", (count(*) FILTER (WHERE s.property IS NULL))::int AS notes,
     (count(*) FILTER (WHERE s.property IS NOT NULL))::int AS activities
   FROM (${SOURCES}) AS s ${LEFT} GROUP BY s.entity_id`,
);

/** How many notes and activities of these people were not pushed yet. */
export const countEntries = (
  db: Db,
  { provider, portal, everyone, createdAt }: OfRun,
  ids: readonly string[],
): Promise<{ entityId: string; notes: number; activities: number }[]> =>
  db.query(count, [provider, portal, ids, pushedActivities, everyone, createdAt]);

/** Written before the CRM is called: after a crash it is looked for there before it is pushed again. */
export async function beginPush(
  db: Db,
  { provider, portal }: Portal,
  { id, entityId }: Pick<NextEntry, "id" | "entityId">,
): Promise<void> {
  const push = { provider, portal, sourceId: id };
  const begun = { problem: null, begunAt: new Date() };
  await db.prisma.crmPush.createMany({ data: [{ ...push, ...begun, entityId }], skipDuplicates: true });
  await db.prisma.crmPush.updateMany({ where: { ...push, remoteId: null }, data: begun });
}

/** It is in the CRM, or the CRM does not take it. */
export async function endPush(
  db: Db,
  { provider, portal }: Portal,
  sourceId: string,
  result: { remoteId: string } | { problem: string },
): Promise<void> {
  await db.prisma.crmPush.updateMany({
    where: { provider, portal, sourceId },
    data: { remoteId: null, problem: null, ...result },
  });
}
