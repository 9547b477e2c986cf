import { nameOf } from "#lib/domain/contacts/service.ts";
import { implement } from "#lib/domain/implement.ts";
import { Stage } from "#lib/domain/people/contract.ts";
import * as contract from "./contract.ts";
import { countByStage, findNamed } from "./queries.ts";

export const getOverview = implement(contract.getOverview, async (ctx) => {
  const counts = new Map((await countByStage(ctx.db)).map(({ stage, people }) => [stage, people]));
  const stages = Stage.options.map((stage) => ({ stage, people: counts.get(stage) ?? 0 }));
  return { stages, people: stages.reduce((sum, { people }) => sum + people, 0) };
});

export const getNames = implement(contract.getNames, async (ctx, { ids }) => {
  const rows = await findNamed(ctx.db, ids);
  return { names: rows.map((row) => ({ id: row.id, type: row.type, name: nameOf(row) })) };
});
