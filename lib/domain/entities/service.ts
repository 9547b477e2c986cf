import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { logChanges } from "#lib/domain/change-log/service.ts";
import { sourceOf } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type EntityRow,
  findByIdentifiers,
  findEntity,
  insertEntities,
  insertIdentifiers,
  lockIdentifiers,
  type Named,
} from "./queries.ts";
import {
  type Focus,
  isFreeMail,
  normaliseDomain,
  notFoundMessage,
  parseFocus,
  type Sought,
  typeNamedBy,
} from "./rules.ts";

export {
  createEntities,
  type EntityRow,
  findByIdentifiers,
  findEntities,
  findEntity,
  findIdentifiersOf,
  findStatusOfAction,
  lockIdentifiers,
  lockIdentifiersLate,
  type Named,
  preferIdentifier,
  retireIdentifier,
  retireIdentifiers,
  setStatus,
} from "./queries.ts";
export {
  companyDomain,
  companyDomainOf,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "./rules.ts";

/** `attached`: the identifiers this call gave it. */
export type Resolved = EntityRow & { created: boolean; attached: readonly Named[] };

/** The entity that represents a new workspace; it has the workspace's id. */
export async function createWorkspaceEntity(ctx: Pick<Ctx, "db" | "workspaceId">): Promise<void> {
  await insertEntities(ctx.db, [{ id: ctx.workspaceId, type: "workspace" }]);
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
  if (!focus) throw refusalOf(text);
  return focus;
}

function refusalOf(text: string): Fault {
  const host = normaliseDomain(text);
  if (host === null || !isFreeMail(host)) return new Fault("invalid_focus", { parameter: "focus" });
  const message = `${host} is a mailbox provider and names no company. Give the e-mail address of a person, or the company's own domain.`;
  return new Fault("invalid_focus", { parameter: "focus" }, message);
}

/** Throws 400 `invalid_focus` when the text is the domain of a mailbox provider, which can be no one's name either. */
export function refuseFreeMail(text: string): void {
  const host = normaliseDomain(text);
  if (host !== null && isFreeMail(host)) throw refusalOf(text);
}

const notFound = (focus: Sought): Fault => new Fault("entity_not_found", {}, notFoundMessage(focus));

/**
 * The entity a focus names, or null when no entity has the identifier yet. Throws 400 `invalid_focus`, 404
 * `entity_not_found`.
 */
async function findFocus(ctx: Ctx, focus: Focus): Promise<Resolved | null> {
  if (focus.kind === "workspace" || (focus.kind === "id" && focus.value === ctx.workspaceId))
    return workspaceItself(ctx);
  if (focus.kind !== "id") {
    const [entity] = await findByIdentifiers(ctx.db, [focus]);
    return entity ? { ...entity, created: false, attached: [] } : null;
  }
  const entity = await findEntity(ctx.db, focus.value);
  if (!entity) throw notFound(focus);
  return { ...entity, created: false, attached: [] };
}

/**
 * The entity a write is about. An unused identifier creates its entity; concurrent creators get the same one. Throws
 * 400 `invalid_focus` and 404 `entity_not_found` (an id that is not the workspace's).
 */
export async function resolveForWrite(ctx: Ctx, text: string): Promise<Resolved> {
  const focus = focusOf(text);
  const known = await findFocus(ctx, focus);
  if (known) return known;
  return resolveByIdentifiers(ctx, [focus as Named], typeNamedBy((focus as Named).kind, (focus as Named).value));
}

/** The entity a focus names; throws 400 `invalid_focus` and 404 `entity_not_found`, never creates. */
export async function resolveExisting(ctx: Ctx, text: string): Promise<Resolved> {
  const focus = focusOf(text);
  const known = await findFocus(ctx, focus);
  if (!known) throw notFound(focus as Sought); // the workspace itself is always there
  return known;
}

/**
 * Identifiers that together name one entity, and its type if it is new. `create: false`: it is not created, and a 404
 * `entity_not_found` is in its place.
 */
export type Wanted = { named: readonly Named[]; type: "person" | "company"; create?: boolean };

/** Like `resolveEach`, for one; throws 409 `identifier_conflict`. */
export async function resolveByIdentifiers(ctx: Ctx, named: readonly Named[], type: Wanted["type"]): Promise<Resolved> {
  const [resolved] = await resolveEach(ctx, [{ named, type }]);
  if (isFault(resolved)) throw resolved;
  return resolved as Resolved;
}

/**
 * For each item the entity that its identifiers name together: found, completed with the identifiers it lacks, or
 * created; one after another, so that the second finds what the first created. When the identifiers name two entities,
 * or one of another type, the item gets a 409 `identifier_conflict` in its place and nothing is done for it. `owners`: the caller
 * has locked all of the identifiers, and then read who has them.
 */
export async function resolveEach(
  ctx: Ctx,
  wanted: readonly Wanted[],
  { source = sourceOf(ctx), owners }: { source?: string; owners?: Owners } = {},
): Promise<(Resolved | Fault)[]> {
  const all = namesOf(wanted);
  if (all.length === 0) return [];
  const { results, given, created } = decideEach(wanted, owners ?? (await findOwnersLocked(ctx, all)));
  if (created.length > 0) {
    const times = await insertEntities(ctx.db, created);
    for (const entity of created) entity.createdAt = times.get(entity.id) ?? entity.createdAt;
    logChanges(
      ctx,
      created.map(({ id, type }) => ({
        type: type === "company" ? "company.created" : "person.created",
        entityId: id,
        source,
      })),
    );
    for (const resolved of results)
      if (!isFault(resolved)) resolved.createdAt = times.get(resolved.id) ?? resolved.createdAt;
  }
  insertIdentifiers(ctx.db, given);
  return results;
}

/** What `resolveEach` would give now; writes and locks nothing. `owners`: who has the identifiers, if that was read before. */
export async function foreseeEach(ctx: Ctx, wanted: readonly Wanted[], owners?: Owners): Promise<(Resolved | Fault)[]> {
  const all = namesOf(wanted);
  return all.length === 0 ? [] : decideEach(wanted, owners ?? (await findOwners(ctx, all))).results;
}

const namesOf = (wanted: readonly Wanted[]): Named[] => onceEach(wanted.flatMap(({ named }) => named));

const onceEach = (named: readonly Named[]): Named[] => [...new Map(named.map((item) => [keyOf(item), item])).values()];

/** Who has which identifiers. What is resolved with it adds what it gives. */
export type Owners = Map<string, EntityRow>;

/** Who has these identifiers now. */
export async function findOwners(ctx: Pick<Ctx, "db">, named: readonly Named[]): Promise<Owners> {
  const owners: Owners = new Map();
  if (named.length === 0) return owners;
  for (const { kind, value, ...entity } of await findByIdentifiers(ctx.db, onceEach(named)))
    owners.set(keyOf({ kind, value }), entity);
  return owners;
}

async function findOwnersLocked(ctx: Ctx, named: readonly Named[]): Promise<Owners> {
  const [, owners] = await together([lockIdentifiers(ctx.db, named), findOwners(ctx, named)]);
  return owners;
}

/** Which entity each item is, given who has its identifiers, what is created for that, and the identifiers that entities are given. */
function decideEach(wanted: readonly Wanted[], owners: Owners) {
  const given: (Named & { entityId: string })[] = [];
  const created: EntityRow[] = [];
  const results = wanted.map(({ named, type, create = true }): Resolved | Fault => {
    const found = named.flatMap((item) => {
      const owner = owners.get(keyOf(item));
      return owner ? [{ ...item, owner }] : [];
    });
    const [first] = found;
    const other =
      found.find(({ owner }) => owner.id !== first?.owner.id) ?? (first?.owner.type === type ? null : first);
    if (other) return conflict(other.owner.id, other, first?.owner.id);
    if (!first && !create) return notFound(named[0] as Named);
    const missing = named.filter((item) => !owners.has(keyOf(item)));
    // The time is set when it is written.
    const entity: EntityRow = first?.owner ?? { id: newId(), type, status: "active", absorbed: [], createdAt: NEVER };
    if (!first) created.push(entity);
    for (const item of missing) {
      owners.set(keyOf(item), entity);
      given.push({ ...item, entityId: entity.id });
    }
    return { ...entity, created: first === undefined, attached: missing };
  });
  return { results, given, created };
}

const NEVER = new Date(0);

const keyOf = ({ kind, value }: Named): string => `${kind} ${value}`;

/** Adds identifiers to an entity and returns those it lacked. Throws 409 `identifier_conflict` with the owner's id. */
export async function attachIdentifiers(ctx: Ctx, entityId: string, named: readonly Named[]): Promise<Named[]> {
  if (named.length === 0) return [];
  await lockIdentifiers(ctx.db, named);
  const taken = await findByIdentifiers(ctx.db, named);
  const foreign = taken.find((row) => row.id !== entityId);
  if (foreign) throw conflict(foreign.id, foreign);
  const held = new Set(taken.map(keyOf));
  const missing = named.filter((item) => !held.has(keyOf(item)));
  insertIdentifiers(
    ctx.db,
    missing.map((item) => ({ ...item, entityId })),
  );
  return missing;
}

/** `first`: the entity that the other identifiers name. */
const conflict = (id: string, { kind, value }: Named, first?: string) =>
  new Fault(
    "identifier_conflict",
    { entity_id: id, parameter: kind, ...(first && first !== id ? { other_id: first } : {}) },
    `${kind} ${value} belongs to another entity.`,
  );
