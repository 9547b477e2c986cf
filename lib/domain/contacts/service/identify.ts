import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import {
  attachIdentifiers,
  findIdentifiersOf,
  lockIdentifiers,
  type Named,
  preferIdentifier,
  type Resolved,
  resolveExisting,
  retireIdentifier,
} from "#lib/domain/entities/service.ts";
import { methodOf, readClock, sourceOf } from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { holdEntities, identifiersIn, recordAbout } from "#lib/domain/people/service.ts";
import * as contract from "../contract.ts";
import { propertyOfIdentifier } from "../rules/identifiers.ts";

export const addIdentifier = implement(contract.addIdentifier, async (ctx, { focus, kind, value, primary }) => {
  const { entity, named } = await holdNamed(ctx, focus, kind, value);
  const before = await identifiersOf(ctx, entity.id);
  const attached = await attachIdentifiers(ctx, entity.id, [named]);
  const first = before.find((one) => one.kind === kind);
  const preferred = primary ? named : first;
  const moves = primary ? first?.value !== named.value : attached.length > 0 && first !== undefined;
  if (preferred && moves) await preferIdentifier(ctx.db, entity.id, preferred, await readClock(ctx.db));
  if (attached.length > 0 || moves) await keepEvidence(ctx, { ...entity, attached }, named, true);
  return { entity_id: entity.id, added: attached.length > 0, identifiers: await identifiersOf(ctx, entity.id) };
});

export const removeIdentifier = implement(contract.removeIdentifier, async (ctx, { focus, kind, value }) => {
  const { entity, named } = await holdNamed(ctx, focus, kind, value);
  if (!(await retireIdentifier(ctx.db, entity.id, named, await readClock(ctx.db))))
    throw new Fault("identifier_not_found");
  await keepEvidence(ctx, entity, named, null);
  return { entity_id: entity.id, identifiers: await identifiersOf(ctx, entity.id) };
});

/** The record and the identifier that are meant, both locked, in the order in which captures lock them. */
async function holdNamed(
  ctx: Ctx,
  focus: string,
  kind: Named["kind"],
  value: string,
): Promise<{ entity: Resolved; named: Named }> {
  const found = await resolveExisting(ctx, focus);
  const named = found.type === "workspace" ? undefined : identifiersIn({ [kind]: value }, found.type)[0];
  if (named === undefined) throw new Fault("invalid_parameter", { parameter: "kind" }, wrongKind(found.type));
  await lockIdentifiers(ctx.db, [named]);
  const now = (await holdEntities(ctx, [found.id])).get(found.id);
  return { entity: { ...found, ...now, created: false, attached: [] }, named };
}

const wrongKind = (type: Resolved["type"]): string =>
  type === "workspace"
    ? "The workspace has no identifiers."
    : `A ${type} has ${type === "person" ? "e-mails (email)" : "domains (domain)"} and LinkedIn URLs (linkedin_url).`;

const identifiersOf = async (ctx: Ctx, id: string): Promise<Named[]> =>
  (await findIdentifiersOf(ctx.db, [id])).map(({ kind, value }) => ({ kind, value }));

/** Who said that the record has it, or (null) that it does not; the rows of the lists follow. */
async function keepEvidence(ctx: Ctx, entity: Resolved, { kind, value }: Named, said: true | null): Promise<void> {
  const property = `${propertyOfIdentifier(kind)}.${value}`;
  const method = methodOf(ctx, property);
  // With an id of its own it is never taken for a repetition.
  await recordAbout(ctx, entity, [
    { id: newId(), kind: "state", property, value: said, source: sourceOf(ctx), method, observedAt: null },
  ]);
}
