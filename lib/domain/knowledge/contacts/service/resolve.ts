import { Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  normaliseLinkedinUrl,
  type ResolvedEntity,
  refuseFreeMail,
  resolveExisting,
} from "#lib/domain/records/entities/service.ts";
import {
  beginningsOf,
  closest,
  detailOf,
  exactName,
  findByName,
  findByNameAt,
  findNear,
  type NamedRow,
  type NamePatterns,
  nameAtCompany,
  nameOf,
  partOfName,
} from "#lib/domain/records/names/service.ts";
import { fold } from "#lib/text/fold.ts";
import * as contract from "../contract.ts";

/** What a reader asked for: one entity, or several that have the name. */
export type ResolvedFocus =
  | { entity: ResolvedEntity; ambiguous?: undefined }
  | { entity?: undefined; ambiguous: contract.Ambiguous };

const MOST_CANDIDATES = 10;
const MOST_MATCHES = 50;
const MOST_NEAR = 3;

export const resolveFocus = implement(contract.resolveFocus, async (ctx, { focus }) => {
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  return ambiguous ?? { entity_id: entity.id, type: entity.type };
});

/**
 * The entity that a read is about: a focus as for writes, or a name. Whole names are tried before parts of names, and
 * active people and companies before archived ones. With `type` only people, or only companies, are meant. Throws 404
 * `entity_not_found` and 400 `invalid_focus` (the domain of a mailbox provider); never creates.
 */
export async function resolveForRead(ctx: Ctx, text: string, type?: NamedRow["type"]): Promise<ResolvedFocus> {
  refuseFreeMail(text);
  const identified = await findIdentified(ctx, text);
  const refused = isFault(identified) ? identified : otherThan(type, identified);
  if (refused === null) return { entity: identified as ResolvedEntity };
  if (!mayBeName(text)) throw isUuid(text.trim()) ? refused : withNearest(refused, await nearestTo(ctx, text, type));
  const rows = await findNamed(ctx, text, type);
  const [only] = rows;
  if (!only) throw withNearest(isFault(identified) ? unnamed(type) : refused, await nearestTo(ctx, text, type));
  if (rows.length === 1) return { entity: await resolveExisting(ctx, only.id) };
  const candidates = rows.slice(0, MOST_CANDIDATES).map(candidateOf);
  const more = rows.length - candidates.length;
  return { ambiguous: { status: "ambiguous", candidates, ...(more > 0 ? { more } : {}) } };
}

const candidateOf = (row: NamedRow) => ({
  entity_id: row.id,
  name: nameOf(row),
  detail: detailOf({ ...row, reach: row.email ?? row.domain }),
});

const unnamed = (type: NamedRow["type"] | undefined): Fault =>
  new Fault("entity_not_found", {}, `No ${type ?? "person or company"} in this workspace has that name or domain.`);

type Candidates = contract.Ambiguous["candidates"];

const withNearest = ({ code, extras, message }: Fault, nearest: Candidates): Fault =>
  new Fault(code, nearest.length > 0 ? { ...extras, nearest } : extras, message);

/** The records whose names or addresses are most like the text. */
async function nearestTo(ctx: Ctx, text: string, type: NamedRow["type"] | undefined): Promise<Candidates> {
  for (const length of [3, 2]) {
    const beginnings = beginningsOf(text, length);
    const rows = beginnings ? await findNear(ctx.db, beginnings, fold(text), type ? MOST_MATCHES : MOST_NEAR) : [];
    const near = rows.filter((row) => type === undefined || row.type === type).slice(0, MOST_NEAR);
    if (near.length > 0) return near.map(candidateOf);
  }
  return [];
}

/** Null when the entity is of the type. */
function otherThan(type: NamedRow["type"] | undefined, { type: actual }: ResolvedEntity): Fault | null {
  if (type === undefined || actual === type) return null;
  const named = { person: "a person", company: "a company", workspace: "the workspace" }[actual];
  return new Fault("entity_not_found", {}, `This names ${named}; give one that names a ${type}.`);
}

/**
 * The entity, or the 404 that says what was searched. A domain may also be a company's name (`Booking.com`), so an
 * identifier that no entity has is tried as a name.
 */
async function findIdentified(ctx: Ctx, text: string): Promise<ResolvedEntity | Fault> {
  try {
    return await resolveExisting(ctx, text);
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code === "entity_not_found") return error;
    if (error.code !== "invalid_focus") throw error;
    return new Fault("entity_not_found", {}, "No person in this workspace has that e-mail address.");
  }
}

const mayBeName = (text: string): boolean =>
  !isUuid(text.trim()) && !text.includes("@") && normaliseLinkedinUrl(text) === null;

async function findNamed(ctx: Ctx, text: string, type?: NamedRow["type"]): Promise<readonly NamedRow[]> {
  const [whole, part] = [exactName(text), partOfName(text)];
  const find = async (patterns: NamePatterns | null, isWhole: boolean): Promise<NamedRow[]> => {
    const rows = patterns ? await findByName(ctx.db, patterns, isWhole, MOST_MATCHES) : [];
    return type ? rows.filter((row) => row.type === type) : rows;
  };
  const exact = await find(whole, true);
  if (exact.length > 0) return preferActive(exact);
  const at = type === "company" ? null : nameAtCompany(text);
  const there = at ? await findByNameAt(ctx.db, at.name, at.company, MOST_MATCHES) : [];
  if (there.length > 0) return preferActive(there);
  const partly = await find(part, false);
  const named = closest(
    text,
    partly.map((row) => ({ name: nameOf(row), row })),
  );
  return preferActive(named.map(({ row }) => row));
}

function preferActive(rows: readonly NamedRow[]): readonly NamedRow[] {
  const active = rows.filter((row) => row.status === "active");
  return active.length > 0 ? active : rows;
}
