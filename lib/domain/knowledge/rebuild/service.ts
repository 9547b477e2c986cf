import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { holdStanding, rebuildRowsAsTheyAre } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { rescoreAll, rescoreRecords } from "#lib/domain/knowledge/scoring/service.ts";
import { deriveAgain } from "#lib/domain/records/evidence/service.ts";
import { findEntityIds, findProjections, type Projection } from "./queries.ts";

type Difference = { entity_id: string; projection: string; before: string | null; after: string | null };
export type Rebuilt = { entities: number; projections: number; different: number; differences: Difference[] };

const BATCH = 200;
const SHOWN = 20;

/**
 * Drops every claim and row of a workspace and derives it again from the evidence. The result equals what was there,
 * byte for byte; any difference is counted and shown, and the derived value is kept. Can run while the app runs: each
 * entity is locked while it is rebuilt, one transaction per batch. `most`: stops once so many were derived.
 */
export async function rebuildWorkspace(caller: Caller, { most = Infinity } = {}): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { entities: 0, projections: 0, different: 0, differences: [] };
  await rescoreAll(caller.workspaceId); // what only waits to be scored is no difference
  for (const type of ["workspace", "person", "company"] as const) {
    for (let after: string | null = null; ; ) {
      const start: string | null = after;
      const done = await withWorkspace(caller.workspaceId, async (db) => {
        const ids = await findEntityIds(db, type, start, BATCH);
        return { ids, ...(await rebuildEntities({ ...caller, db }, type, ids)) };
      });
      count(rebuilt, done);
      after = done.ids.at(-1) ?? null;
      if (after === null || rebuilt.entities >= most) break;
    }
  }
  return rebuilt;
}

type Projections = ReadonlyMap<string, Projection>;
/** How many entities were rebuilt, and their projections as they were and as they are derived. */
type RebuildResult = { entities: number; before: Projections; after: Projections };

/** Entities that were merged or erased meanwhile are left out. */
async function rebuildEntities(ctx: Ctx, type: string, ids: readonly string[]): Promise<RebuildResult> {
  const locked = await holdStanding(ctx, ids);
  const entities = ids.flatMap((id) => {
    const entity = locked.get(id);
    return entity?.id === id ? [entity] : [];
  });
  const standing = entities.map(({ id }) => id);
  if (standing.length === 0) return { entities: 0, before: new Map(), after: new Map() };
  const before = await findProjections(ctx.db, standing);
  await deriveAgain(ctx, entities);
  if (type !== "workspace") {
    await rebuildRowsAsTheyAre(ctx, entities);
    await rescoreRecords(ctx, standing);
  }
  return { entities: standing.length, before, after: await findProjections(ctx.db, standing) };
}

function count(rebuilt: Rebuilt, { entities, before, after }: RebuildResult): void {
  rebuilt.entities += entities;
  rebuilt.projections += after.size;
  for (const [key, { id, name }] of new Map([...before, ...after])) {
    const [was, is] = [before.get(key)?.text ?? null, after.get(key)?.text ?? null];
    if (was === is) continue;
    rebuilt.different += 1;
    if (rebuilt.differences.length < SHOWN)
      rebuilt.differences.push({ entity_id: id, projection: name, before: was, after: is });
  }
}
