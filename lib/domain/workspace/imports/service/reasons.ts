import type { Fault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findByIdentifiers, identifierKey, type Named } from "#lib/domain/records/entities/service.ts";
import { findErased } from "#lib/domain/records/tombstones/service.ts";
import type { RowReason, RowResult } from "../rules/progress.ts";
import { skipped } from "./prepare.ts";

/**
 * Which of these identifiers belong to people who were erased and were not created again on purpose, by `identifierKey`.
 * Their rows are skipped.
 */
export async function erasedAmong(ctx: Ctx, named: readonly Named[]): Promise<ReadonlySet<string>> {
  const erased = await findErased(ctx, named);
  if (erased.length === 0) return new Set();
  const there = new Set((await findByIdentifiers(ctx.db, erased)).map(identifierKey));
  return new Set(erased.map(identifierKey).filter((key) => !there.has(key)));
}

/** Without a label: it could be the person's name. */
export const wasErased: RowResult = skipped(null, [
  { code: "erased", message: "This person was erased and is not created again.", column: null },
]);

export function reasonOf({ code, message, extras }: Fault): RowReason {
  if (code === "entity_not_found")
    return {
      code: "unknown_record",
      message: "No record has the row's identifiers, and this import creates no new ones.",
      column: null,
    };
  if (code === "identifier_conflict") {
    const both = [extras.other_id, extras.entity_id].filter(Boolean).join(" and ");
    return { code, message: `${message.replace(/\.$/, "")}: the row's identifiers name ${both}.`, column: null };
  }
  return { code, message, column: null };
}
