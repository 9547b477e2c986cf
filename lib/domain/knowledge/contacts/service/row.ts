import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json.ts";
import type { Company, Person } from "#lib/domain/crm/people/contract.ts";
import { findCompanyJson, findPersonJson } from "#lib/domain/crm/people/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Ambiguous } from "../contract.ts";
import { resolveForRead } from "./resolve.ts";

const finders = { person: findPersonJson, company: findCompanyJson } as const;

type Row<T extends keyof typeof finders> = T extends "person" ? { person: Person } : { company: Company };

/** The row of the list of the one person or company a focus names, or the candidates. Throws 404 `entity_not_found`. */
export async function readRow<T extends keyof typeof finders>(
  ctx: Ctx,
  type: T,
  focus: string,
): Promise<JsonText<Row<T>> | Ambiguous> {
  const { entity, ambiguous } = await resolveForRead(ctx, focus, type);
  if (ambiguous) return ambiguous;
  const row = await finders[type](ctx.db, entity.id);
  if (row === null) throw new Fault("entity_not_found"); // erased since it was resolved
  return new JsonText<Row<T>>(`{"${type}":${row}}`);
}
