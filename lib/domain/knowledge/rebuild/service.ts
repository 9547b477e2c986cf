import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { rebuildRows } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { rescoreAll, rescoreOne } from "#lib/domain/knowledge/scoring/service.ts";
import { findEntity } from "#lib/domain/records/entities/service.ts";
import { deriveAgain, lockEntity } from "#lib/domain/records/evidence/service.ts";
import { findEntityIds, findProjections } from "./queries.ts";

type Difference = { entity_id: string; projection: string; before: string | null; after: string | null };
export type Rebuilt = { entities: number; projections: number; different: number; differences: Difference[] };

const BATCH = 50;
const SHOWN = 20;

/**
 * Drops every claim and row of a workspace and derives it again from the evidence. The result equals what was there,
 * byte for byte; any difference is counted and shown, and the derived value is kept. Can run while the app runs: each
 * entity is locked while it is rebuilt, one transaction per batch.
 */
export async function rebuildWorkspace(caller: Caller): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { entities: 0, projections: 0, different: 0, differences: [] };
  await rescoreAll(caller.workspaceId); // what only waits to be scored is no difference
  for (const type of ["workspace", "person", "company"]) {
    for (let after: string | null = null; ; ) {
      const start: string | null = after;
      const { ids, outcomes } = await withWorkspace(caller.workspaceId, async (db) => {
        const ids = await findEntityIds(db, type, start, BATCH);
        const outcomes: Outcome[] = [];
        for (const id of ids) outcomes.push(...(await rebuildEntity({ ...caller, db }, id)));
        return { ids, outcomes };
      });
      for (const outcome of outcomes) count(rebuilt, outcome);
      after = ids.at(-1) ?? null;
      if (after === null) break;
    }
  }
  return rebuilt;
}

/** The projections of an entity as they were and as they are derived, by name. */
type Outcome = Record<"before" | "after", ReadonlyMap<string, string>> & { id: string };

/** None when the entity was merged or erased meanwhile. */
async function rebuildEntity(ctx: Ctx, id: string): Promise<Outcome[]> {
  await lockEntity(ctx.db, id);
  const entity = await findEntity(ctx.db, id);
  if (!entity || entity.id !== id) return [];
  const before = await findProjections(ctx.db, id);
  await deriveAgain(ctx, entity);
  if (entity.type !== "workspace") {
    await rebuildRows(ctx, null, [entity], null);
    await rescoreOne(ctx, id);
  }
  return [{ id, before, after: await findProjections(ctx.db, id) }];
}

function count(rebuilt: Rebuilt, { id, before, after }: Outcome): void {
  rebuilt.entities += 1;
  rebuilt.projections += after.size;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(name) === after.get(name)) continue;
    rebuilt.different += 1;
    const difference = {
      entity_id: id,
      projection: name,
      before: before.get(name) ?? null,
      after: after.get(name) ?? null,
    };
    if (rebuilt.differences.length < SHOWN) rebuilt.differences.push(difference);
  }
}
