import type { Db } from "#lib/db/handle.ts";
import type { Stage } from "#lib/domain/crm/recording/contract.ts";

/** The stages of some people, by id; people without a row are left out. */
export async function findStages(db: Db, ids: readonly string[]): Promise<Map<string, Stage>> {
  const where = { id: { in: [...ids] } };
  const people = await db.prisma.person.findMany({ where, select: { id: true, pipelineStage: true } });
  return new Map(people.map(({ id, pipelineStage }) => [id, pipelineStage]));
}

/** The e-mail addresses of the owners of some records, by id; empty where no one owns it. */
export async function findOwners(
  db: Db,
  what: "people" | "companies",
  ids: readonly string[],
): Promise<Map<string, string>> {
  const wanted = { where: { id: { in: [...ids] } }, select: { id: true, owner: true as const } };
  const rows = what === "people" ? await db.prisma.person.findMany(wanted) : await db.prisma.company.findMany(wanted);
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}
