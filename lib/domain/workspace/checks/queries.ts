import type { Db } from "#lib/db/handle.ts";
import type { Likely } from "#lib/domain/knowledge/merges/service.ts";

export type Stopped = Readonly<
  Record<"triggers" | "connections" | "keys" | "tokens" | "clients" | "mailboxes", number>
>;

/**
 * Triggers that were stopped, integrations and members' mailboxes with a problem, and what ends before `soon`: keys without a successor, tokens of
 * providers that still work, and clients that were connected before `connectedBefore`.
 */
export async function countStopped(
  { prisma }: Db,
  { now, soon, connectedBefore }: { now: Date; soon: Date; connectedBefore: Date },
): Promise<Stopped> {
  return {
    triggers: await prisma.trigger.count({ where: { status: "disabled" } }),
    connections: await prisma.connection.count({ where: { removedAt: null, message: { not: null } } }),
    keys: await prisma.apiKey.count({ where: { revokedAt: null, replacedBy: null, expiresAt: { gt: now, lt: soon } } }),
    tokens: await prisma.connection.count({
      where: { removedAt: null, isVerified: true, credentialsEndAt: { lt: soon } },
    }),
    clients: await prisma.oauthGrant.count({
      where: { revokedAt: null, expiresAt: { gt: now }, createdAt: { lt: connectedBefore } },
    }),
    mailboxes: await prisma.mailbox.count({
      where: { state: "connected", OR: [{ isVerified: false }, { message: { not: null } }] },
    }),
  };
}

/** What is counted by reading everyone, when that was, when it was tried last, and how long that took. */
export type StoredCounts = {
  silentSources: readonly { source: string; lastAt: string }[];
  duplicates: Likely;
  tookMs: number;
  triedAt: Date;
  /** null: no try came to its end */
  countedAt: Date | null;
};

/** Null when nothing was tried yet. */
export const findCounts = async ({ prisma }: Db): Promise<StoredCounts | null> =>
  (await prisma.checkCounts.findFirst({ omit: { workspaceId: true } })) as StoredCounts | null;

export async function saveCounts({ prisma }: Db, workspaceId: string, counted: StoredCounts): Promise<void> {
  const columns = { ...counted, silentSources: [...counted.silentSources] };
  await prisma.checkCounts.upsert({
    where: { workspaceId },
    create: { workspaceId, ...columns },
    update: columns,
    select: { countedAt: true },
  });
}
