import type { Db } from "#lib/db/handle.ts";

/** Triggers that were stopped, integrations with a problem, and keys without a successor that end before `soon`. */
export async function countStopped(
  { prisma }: Db,
  now: Date,
  soon: Date,
): Promise<{ triggers: number; connections: number; keys: number }> {
  return {
    triggers: await prisma.trigger.count({ where: { status: "disabled" } }),
    connections: await prisma.connection.count({ where: { removedAt: null, message: { not: null } } }),
    keys: await prisma.apiKey.count({ where: { revokedAt: null, replacedBy: null, expiresAt: { gt: now, lt: soon } } }),
  };
}
