import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type EntityRow,
  findEntity,
  findEntityByIdentifier,
  insertEntity,
  insertIdentifier,
  lockIdentifier,
} from "./queries.ts";
import { parseFocus, typeNamedBy } from "./rules.ts";

/** The entity that stands for a new workspace; it has the workspace's id. */
export const createWorkspaceEntity = (ctx: Pick<Ctx, "db" | "workspaceId">): Promise<void> =>
  insertEntity(ctx.db, ctx.workspaceId, "workspace");

/**
 * The entity a write is about. An identifier nobody has used creates its entity; concurrent creators get the same one.
 * Throws 400 `invalid_focus` and 404 `entity_not_found` (an id that is not the workspace's).
 */
export async function resolveForWrite(ctx: Ctx, text: string): Promise<EntityRow & { created: boolean }> {
  const focus = parseFocus(text);
  if (!focus) throw new Fault("invalid_focus", { parameter: "focus" });
  if (focus.kind === "workspace" || (focus.kind === "id" && focus.value === ctx.workspaceId)) {
    return { id: ctx.workspaceId, type: "workspace", status: "active", created: false };
  }
  if (focus.kind === "id") {
    const entity = await findEntity(ctx.db, focus.value);
    if (!entity) throw new Fault("entity_not_found");
    return { ...entity, created: false };
  }
  const { kind, value } = focus;
  const known = await findEntityByIdentifier(ctx.db, kind, value);
  if (known) return { ...known, created: false };
  await lockIdentifier(ctx.db, kind, value);
  const meanwhile = await findEntityByIdentifier(ctx.db, kind, value);
  if (meanwhile) return { ...meanwhile, created: false };
  const id = newId();
  const type = typeNamedBy(kind, value);
  await insertEntity(ctx.db, id, type);
  await insertIdentifier(ctx.db, id, kind, value);
  return { id, type, status: "active", created: true };
}
