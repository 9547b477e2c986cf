import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { findEntity } from "#lib/domain/entities/service.ts";
import { deriveAgain, lockEntity } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { rebuildRows } from "#lib/domain/people/service.ts";
import { rescoreAll, rescoreOne } from "#lib/domain/scoring/service.ts";
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
      const ids = await withWorkspace(caller.workspaceId, async (db) => {
        const batch = await findEntityIds(db, type, start, BATCH);
        for (const id of batch) await rebuildEntity({ ...caller, db }, id, rebuilt);
        return batch;
      });
      after = ids.at(-1) ?? null;
      if (after === null) break;
    }
  }
  return rebuilt;
}

async function rebuildEntity(ctx: Ctx, id: string, rebuilt: Rebuilt): Promise<void> {
  await lockEntity(ctx.db, id);
  const entity = await findEntity(ctx.db, id);
  if (!entity || entity.id !== id) return;
  const before = await findProjections(ctx.db, id);
  await deriveAgain(ctx, entity);
  if (entity.type !== "workspace") {
    await rebuildRows(ctx, null, [entity], null);
    await rescoreOne(ctx, id);
  }
  const after = await findProjections(ctx.db, id);
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
