import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { identifiersIn } from "#lib/domain/crm/people/service.ts";
import { holdEntities, holdIdentifiers, recordOne } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  type EntityRow,
  findByIdentifiers,
  findIdentifiersOf,
  type Identifier,
  resolveExisting,
} from "#lib/domain/records/entities/service.ts";
import { type Draft, freshStateFrom } from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { propertyOfIdentifier } from "../rules/identifiers.ts";

export const addIdentifier = implement(contract.addIdentifier, async (ctx, { focus, kind, value, primary }) => {
  const { entity, named } = await holdNamed(ctx, focus, kind, value);
  const first = (await identifiersOf(ctx, entity.id)).find((one) => one.kind === kind);
  const [owner] = await findByIdentifiers(ctx.db, [named]);
  const isNew = owner?.id !== entity.id;
  const prefers = primary ? named : first;
  const changes = primary ? first?.value !== named.value : isNew;
  if (changes)
    await recordOne(ctx, { about: { id: entity.id, gets: [named] }, drafts: [possession(ctx, named, true)], prefers });
  return { entity_id: entity.id, added: isNew, identifiers: await identifiersOf(ctx, entity.id) };
});

export const removeIdentifier = implement(contract.removeIdentifier, async (ctx, { focus, kind, value }) => {
  const { entity, named } = await holdNamed(ctx, focus, kind, value);
  const has = await identifiersOf(ctx, entity.id);
  if (!has.some((one) => one.kind === named.kind && one.value === named.value)) throw new Fault("identifier_not_found");
  await recordOne(ctx, { about: { id: entity.id }, loses: [named], drafts: [possession(ctx, named, null)] });
  return { entity_id: entity.id, identifiers: await identifiersOf(ctx, entity.id) };
});

/** The record and the identifier that are meant, both locked. */
async function holdNamed(
  ctx: Ctx,
  focus: string,
  kind: Identifier["kind"],
  value: string,
): Promise<{ entity: EntityRow; named: Identifier }> {
  const existing = await resolveExisting(ctx, focus);
  const named = existing.type === "workspace" ? undefined : identifiersIn({ [kind]: value }, existing.type)[0];
  if (named === undefined) throw new Fault("invalid_parameter", { parameter: "kind" }, wrongKind(existing.type));
  const [, standing] = await together([holdIdentifiers(ctx, [named]), holdEntities(ctx, [existing.id])]);
  const now = standing.get(existing.id);
  return { entity: now ?? existing, named };
}

const wrongKind = (type: EntityRow["type"]): string =>
  type === "workspace"
    ? "The workspace has no identifiers."
    : `A ${type} has ${type === "person" ? "e-mails (email)" : "domains (domain)"} and LinkedIn URLs (linkedin_url).`;

const identifiersOf = async (ctx: Ctx, id: string): Promise<Identifier[]> =>
  (await findIdentifiersOf(ctx.db, [id])).map(({ kind, value }) => ({ kind, value }));

/** That the record has it, or (null) that it does not. */
const possession = (ctx: Ctx, { kind, value }: Identifier, has: true | null): Draft =>
  freshStateFrom(ctx, `${propertyOfIdentifier(kind)}.${value}`, has);
