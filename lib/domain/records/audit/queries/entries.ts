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

export async function insertEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  await db.prisma.auditEntry.createMany({
    data: entries.map((entry) => ({
      ...entry,
      id: newId(),
      at: new Date(),
      detail: entry.detail as Prisma.InputJsonObject,
    })),
  });
}

export type EntryRow = NewEntry & { id: string; at: Date; actorName: string | null };

/** `actions`: whole ones, and nouns that mean all of theirs. `actor`: `<type>` or `<type>:<id>`. */
export type EntryFilter = {
  actions?: readonly string[] | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

export type EntryPlace = { at: string; id: string };

/** Entries older than `after`, newest first. */
export async function findEntries(
  db: Db,
  filter: EntryFilter,
  limit: number,
  after: EntryPlace | null,
): Promise<EntryRow[]> {
  const entries = await db.prisma.auditEntry.findMany({
    where: { AND: [...conditions(filter), ...(after ? [olderThan(after)] : [])] },
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

const olderThan = ({ at, id }: EntryPlace): Prisma.AuditEntryWhereInput => ({
  at: { lte: at },
  OR: [{ at: { lt: at } }, { id: { lt: id } }],
});

function* conditions({ actions, actor, subject, from, to }: EntryFilter): Generator<Prisma.AuditEntryWhereInput> {
  if (actions)
    yield { OR: actions.map((name) => ({ action: name.includes(".") ? name : { startsWith: `${name}.` } })) };
  if (actor !== undefined) yield { actor: actor.includes(":") ? actor : { startsWith: `${actor}:` } };
  if (subject !== undefined) yield { subject };
  if (from) yield { at: { gte: from } };
  if (to) yield { at: { lte: to } };
}

/** What the log calls the removal of old blocks by the operator's setting. */
export const TRIMMED = "audit_log.trimmed";

/** The number of the first block that is kept where blocks before this one were removed, as the log says; else 1. */
export async function findTrim(db: Db, number: number): Promise<number> {
  const trim = await db.prisma.auditEntry.findFirst({
    where: { action: TRIMMED, detail: { path: ["kept_from"], equals: number } },
    select: { id: true },
  });
  return trim ? number : 1;
}
