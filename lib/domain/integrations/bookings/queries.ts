import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { BackfillContact, Backfill as Stored } from "#prisma/generated/client.ts";
import type { Backfill } from "./contract.ts";

export type BackfillRow = Omit<Stored, "workspaceId" | "createdBy">;

const omit = { workspaceId: true, createdBy: true } as const;

/** The latest first, because ids are UUID v7. */
export const findBackfills = (db: Db, limit: number): Promise<BackfillRow[]> =>
  db.prisma.backfill.findMany({ omit, orderBy: { id: "desc" }, take: limit });

export const findBackfill = (db: Db, id: string): Promise<BackfillRow | null> =>
  db.prisma.backfill.findFirst({ where: { id }, omit });

/** The backfill, locked until this transaction ends. */
export async function findBackfillToChange(db: Db, id: string): Promise<BackfillRow | null> {
  await lockRow(db, "backfills", id);
  return findBackfill(db, id);
}

/** Backfills of everyone are started one after the other. */
export const lockBackfills = (db: Db): Promise<void> => lock(db, "backfill");

/** Only the latest few are checked. */
export const findRunningOfEveryone = async (db: Db): Promise<string | null> =>
  (await findBackfills(db, 50)).find(
    ({ everyone, state }) => everyone && (state === "queued" || state === "running" || state === "waiting"),
  )?.id ?? null;

const ADDRESSES = `SELECT i.entity_id, i.value FROM people p
  CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = p.id OFFSET 0) AS i
  WHERE p.workspace_id = $workspace AND i.kind = 'email' AND i.retired_at IS NULL`;
const INTO = `WITH found AS (INSERT INTO backfill_contacts (workspace_id, backfill_id, place, contact_id, email)
    SELECT $workspace, $1, row_number() OVER (ORDER BY a.entity_id DESC, a.value) - 1, a.entity_id, a.value FROM (`;
const COUNTED = `) AS a RETURNING 1)
  UPDATE backfills SET total = (SELECT count(*) FROM found) WHERE workspace_id = $workspace AND id = $1`;

// people_pkey, identifiers_entity_idx
const allAddresses = sql("backfill_everyone", `${INTO}${ADDRESSES} AND p.status = 'active'${COUNTED}`);
const theirAddresses = sql("backfill_contacts_given", `${INTO}${ADDRESSES} AND p.id = ANY($2::uuid[])${COUNTED}`);

/** Begins a backfill with every address of these contacts, or of all that are not archived; the newest contacts first. */
export async function insertBackfill(
  db: Db,
  id: string,
  contactIds: readonly string[] | null,
  createdBy: string,
): Promise<void> {
  await db.prisma.backfill.create({
    data: { id, everyone: contactIds === null, total: 0, createdBy },
    select: { id: true },
  });
  await (contactIds === null ? db.query(allAddresses, [id]) : db.query(theirAddresses, [id, contactIds]));
}

export type ContactRow = Omit<BackfillContact, "workspaceId" | "backfillId">;

/** Addresses from a position on. */
export const findContacts = (db: Db, id: string, from: number, limit: number): Promise<ContactRow[]> =>
  db.prisma.backfillContact.findMany({
    where: { backfillId: id, place: { gte: from } },
    omit: { workspaceId: true, backfillId: true },
    orderBy: { place: "asc" },
    take: limit,
  });

export type LookupResult = { logged: number; present: number; skipped: number; problem: string | null };

/** Finishes one address: stores what was found and moves on to the next. */
export async function markLookedUp(db: Db, id: string, place: number, result: LookupResult): Promise<void> {
  const { logged, present, skipped, problem } = result;
  await db.prisma.backfillContact.updateMany({ where: { backfillId: id, place }, data: result });
  await db.prisma.backfill.updateMany({
    where: { id },
    data: {
      position: place + 1,
      logged: { increment: logged },
      present: { increment: present },
      skipped: { increment: skipped },
      failed: { increment: problem === null ? 0 : 1 },
      state: "running",
      message: null,
    },
  });
}

const ENDS: readonly Backfill["state"][] = ["done", "failed", "cancelled"];

export async function setState(db: Db, id: string, to: Backfill["state"], message: string | null): Promise<void> {
  const finishedAt = ENDS.includes(to) ? new Date() : null;
  await db.prisma.backfill.updateMany({ where: { id }, data: { state: to, message, finishedAt } });
}
