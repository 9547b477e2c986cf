import type { Db } from "#lib/db/handle.ts";
import type { Stage } from "#lib/domain/crm/recording/contract.ts";

/** The stages of some people, by id; people without a row are left out. */
export async function findStages(db: Db, ids: readonly string[]): Promise<Map<string, Stage>> {
  const where = { id: { in: [...ids] } };
  const people = await db.prisma.person.findMany({ where, select: { id: true, pipelineStage: true } });
  return new Map(people.map(({ id, pipelineStage }) => [id, pipelineStage]));
}
