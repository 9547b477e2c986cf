import { Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { normaliseLinkedinUrl, type Resolved, refuseFreeMail, resolveExisting } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  closest,
  detailOf,
  exactName,
  findByName,
  type NamedRow,
  nameOf,
  partOfName,
} from "#lib/domain/names/service.ts";
import type { Ambiguous } from "../contract.ts";

/** What a reader asked for: one entity, or several that have the name. */
export type Read = { entity: Resolved; ambiguous?: undefined } | { entity?: undefined; ambiguous: Ambiguous };

const MOST_CANDIDATES = 10;
const MOST_MATCHES = 50;

/**
 * The entity that a read is about: a focus as for writes, or a name. Whole names are tried before parts of names, and
 * active people and companies before archived ones. Throws 404 `entity_not_found` and 400 `invalid_focus` (the domain of
 * a mailbox provider); never creates.
 */
export async function resolveForRead(ctx: Ctx, text: string): Promise<Read> {
  refuseFreeMail(text);
  const entity = await findIdentified(ctx, text);
  if (entity) return { entity };
  if (!mayBeName(text)) throw new Fault("entity_not_found");
  const rows = await findNamed(ctx, text);
  const [only] = rows;
  if (!only) throw new Fault("entity_not_found", {}, "Nobody of this workspace has that name or identifier.");
  if (rows.length === 1) return { entity: await resolveExisting(ctx, only.id) };
  const candidates = rows.slice(0, MOST_CANDIDATES).map((row) => ({
    entity_id: row.id,
    name: nameOf(row),
    detail: detailOf({ ...row, reach: row.email ?? row.domain }),
  }));
  return { ambiguous: { status: "ambiguous", candidates } };
}

/** A domain may also be a company's name (`Booking.com`), so an identifier that no entity has is tried as a name. */
async function findIdentified(ctx: Ctx, text: string): Promise<Resolved | null> {
  try {
    return await resolveExisting(ctx, text);
  } catch (error) {
    if (isFault(error) && (error.code === "invalid_focus" || error.code === "entity_not_found")) return null;
    throw error;
  }
}

const mayBeName = (text: string): boolean =>
  !isUuid(text.trim()) && !text.includes("@") && normaliseLinkedinUrl(text) === null;

async function findNamed(ctx: Ctx, text: string): Promise<readonly NamedRow[]> {
  const [whole, part] = [exactName(text), partOfName(text)];
  const exact = whole ? await findByName(ctx.db, whole, true, MOST_MATCHES) : [];
  if (exact.length > 0) return preferActive(exact);
  const partly = part ? await findByName(ctx.db, part, false, MOST_MATCHES) : [];
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
