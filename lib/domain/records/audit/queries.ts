import { findActorNames } from "#lib/auth/queries/names.ts";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import type { Prisma } from "#prisma/generated/client.ts";

export type NewEntry = {
  actor: string;
  client: string | null;
  requestId: string | null;
  ip: string | null;
  action: string;
  subject: string | null;
  detail: Readonly<Record<string, unknown>>;
};

export async function insertEntry(db: Db, { detail, ...entry }: NewEntry): Promise<void> {
  await db.prisma.auditEntry.create({
    data: { id: newId(), at: new Date(), ...entry, detail: detail as Prisma.InputJsonObject },
    select: { id: true },
  });
}

export type EntryRow = NewEntry & { id: string; at: Date; actorName: string | null };

/** Entries older than `after`, newest first. */
export async function findEntries(
  db: Db,
  limit: number,
  after: { at: string; id: string } | null,
): Promise<EntryRow[]> {
  const older = after && { at: { lte: after.at }, OR: [{ at: { lt: after.at } }, { id: { lt: after.id } }] };
  const entries = await db.prisma.auditEntry.findMany({
    where: older ?? {},
    omit: { workspaceId: true },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
  });
  const names = await findActorNames(
    db,
    entries.map(({ actor }) => actor),
  );
  return entries.map((entry) => ({
    ...entry,
    detail: entry.detail as NewEntry["detail"],
    actorName: names.get(entry.actor) ?? null,
  }));
}
