import { Fault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { readClock } from "#lib/domain/records/evidence/service.ts";
import { createEntities, type EntityRow, findByIdentifiers, findEntity, type Identifier } from "./queries.ts";
import { type Focus, isFreeMail, normaliseDomain, notFoundMessage, parseFocus, type Sought } from "./rules.ts";

export {
  createEntities,
  deleteEntities,
  type EntityRow,
  type EntityType,
  findByIdentifiers,
  findEmailsEver,
  findEntities,
  findEntity,
  findIdentifiersEver,
  findIdentifiersOf,
  findPeopleByEmail,
  findStatusOfAction,
  holdsIdentifiers,
  type Identifier,
  insertIdentifiers,
  lockIdentifiers,
  preferIdentifier,
  retireIdentifiers,
  setStatus,
} from "./queries.ts";
export {
  companyDomain,
  companyDomainOf,
  evidenceIds,
  type IdentifierKind,
  identifierKey,
  normaliseCompanyName,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedinUrl,
  typeNamedBy,
  withEmployers,
} from "./rules.ts";

/** `attached`: the identifiers that a call gave it. */
export type ResolvedEntity = EntityRow & { created: boolean; attached: readonly Identifier[] };

/** The entity that represents a new workspace; it has the workspace's id. */
export async function createWorkspaceEntity(ctx: Pick<Ctx, "db" | "workspaceId">): Promise<void> {
  createEntities(ctx.db, await readClock(ctx.db), [{ id: ctx.workspaceId, type: "workspace" }]);
}

const workspaceItself = (ctx: Ctx): ResolvedEntity => ({
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

/** Throws 400 `invalid_focus` when the text is the domain of a mailbox provider, which is never a name. */
export function refuseFreeMail(text: string): void {
  const host = normaliseDomain(text);
  if (host !== null && isFreeMail(host)) throw refusalOf(text);
}

export const notFound = (focus: Sought): Fault => new Fault("entity_not_found", {}, notFoundMessage(focus));

/**
 * The entity a focus names, or null when no entity has the identifier yet. Throws 400 `invalid_focus`, 404
 * `entity_not_found`.
 */
async function findFocus(ctx: Ctx, focus: Focus): Promise<ResolvedEntity | null> {
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

/** The entity a write is about: an id that exists or not, or an identifier that may be unused. Throws 400 `invalid_focus`. */
export function meantBy(ctx: Pick<Ctx, "workspaceId">, text: string): { id: string } | Identifier {
  const focus = focusOf(text);
  if (focus.kind === "workspace") return { id: ctx.workspaceId };
  return focus.kind === "id" ? { id: focus.value } : { kind: focus.kind, value: focus.value };
}

/** The entity a focus names; throws 400 `invalid_focus` and 404 `entity_not_found`, never creates. */
export async function resolveExisting(ctx: Ctx, text: string): Promise<ResolvedEntity> {
  const focus = focusOf(text);
  const existing = await findFocus(ctx, focus);
  if (!existing) throw notFound(focus as Sought); // the workspace itself is always there
  return existing;
}

/** `first`: the entity that the other identifiers name. */
export const conflict = (id: string, { kind, value }: Identifier, first?: string) =>
  new Fault(
    "identifier_conflict",
    { entity_id: id, parameter: kind, ...(first && first !== id ? { other_id: first } : {}) },
    `${kind} ${value} belongs to another entity.`,
  );
