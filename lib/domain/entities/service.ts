import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type EntityRow,
  findByIdentifiers,
  findEntity,
  insertEntity,
  insertIdentifiers,
  lockIdentifiers,
  type Named,
} from "./queries.ts";
import { type Focus, parseFocus, typeNamedBy } from "./rules.ts";

export {
  createEntities,
  type EntityRow,
  findByIdentifiers,
  findEntity,
  findIdentifiers,
  lockIdentifiers,
  type Named,
  retireIdentifiers,
  setStatus,
} from "./queries.ts";
export {
  companyDomainOf,
  type IdentifierKind,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "./rules.ts";

/** `attached`: the identifiers this call gave it. */
export type Resolved = EntityRow & { created: boolean; attached: readonly Named[] };

/** The entity that stands for a new workspace; it has the workspace's id. */
export async function createWorkspaceEntity(ctx: Pick<Ctx, "db" | "workspaceId">): Promise<void> {
  await insertEntity(ctx.db, ctx.workspaceId, "workspace");
}

const workspaceItself = (ctx: Ctx): Resolved => ({
  id: ctx.workspaceId,
  type: "workspace",
  status: "active",
  absorbed: [],
  createdAt: new Date(0),
  created: false,
  attached: [],
});

/** Reads a focus; throws 400 `invalid_focus`. */
function focusOf(text: string): Focus {
  const focus = parseFocus(text);
  if (!focus) throw new Fault("invalid_focus", { parameter: "focus" });
  return focus;
}

/** The entity a focus names, or null when an identifier names nobody yet. Throws 400 `invalid_focus`, 404 `entity_not_found`. */
async function findFocus(ctx: Ctx, focus: Focus): Promise<Resolved | null> {
  if (focus.kind === "workspace" || (focus.kind === "id" && focus.value === ctx.workspaceId))
    return workspaceItself(ctx);
  if (focus.kind !== "id") {
    const [entity] = await findByIdentifiers(ctx.db, [focus]);
    return entity ? { ...entity, created: false, attached: [] } : null;
  }
  const entity = await findEntity(ctx.db, focus.value);
  if (!entity) throw new Fault("entity_not_found");
  return { ...entity, created: false, attached: [] };
}

/**
 * The entity a write is about. An identifier nobody has used creates its entity; concurrent creators get the same one.
 * Throws 400 `invalid_focus` and 404 `entity_not_found` (an id that is not the workspace's).
 */
export async function resolveForWrite(ctx: Ctx, text: string): Promise<Resolved> {
  const focus = focusOf(text);
  const known = await findFocus(ctx, focus);
  if (known) return known;
  return resolveByIdentifiers(ctx, [focus as Named], typeNamedBy((focus as Named).kind, (focus as Named).value));
}

/** The entity a focus names; throws 400 `invalid_focus` and 404 `entity_not_found`, never creates. */
export async function resolveExisting(ctx: Ctx, text: string): Promise<Resolved> {
  const known = await findFocus(ctx, focusOf(text));
  if (!known) throw new Fault("entity_not_found");
  return known;
}

/**
 * The one entity that some identifiers name together: found, completed with those it lacks, or created. Throws 409
 * `identifier_conflict` when they name two, or one of another type.
 */
export async function resolveByIdentifiers(
  ctx: Ctx,
  named: readonly Named[],
  type: "person" | "company",
): Promise<Resolved> {
  await lockIdentifiers(ctx.db, named);
  const found = await findByIdentifiers(ctx.db, named);
  const [first] = found;
  if (!first) {
    const id = newId();
    const createdAt = await insertEntity(ctx.db, id, type);
    await insertIdentifiers(ctx.db, id, named);
    return { id, type, status: "active", absorbed: [], createdAt, created: true, attached: named };
  }
  const { kind, value, ...entity } = first;
  const other = found.find((row) => row.id !== first.id) ?? (first.type === type ? undefined : first);
  if (other) throw conflict(other);
  return { ...entity, created: false, attached: await attachIdentifiers(ctx, entity.id, named) };
}

/** Adds identifiers to an entity and returns those it lacked. Throws 409 `identifier_conflict` with the owner's id. */
export async function attachIdentifiers(ctx: Ctx, entityId: string, named: readonly Named[]): Promise<Named[]> {
  if (named.length === 0) return [];
  await lockIdentifiers(ctx.db, named);
  const taken = await findByIdentifiers(ctx.db, named);
  const foreign = taken.find((row) => row.id !== entityId);
  if (foreign) throw conflict(foreign);
  const key = ({ kind, value }: Named) => `${kind} ${value}`;
  const held = new Set(taken.map(key));
  const missing = named.filter((item) => !held.has(key(item)));
  await insertIdentifiers(ctx.db, entityId, missing);
  return missing;
}

const conflict = ({ id, kind, value }: EntityRow & Named) =>
  new Fault("identifier_conflict", { entity_id: id, parameter: kind }, `${kind} ${value} belongs to another entity.`);
