import type { Fault } from "#lib/core/errors.ts";
import type { RowReason, RowResult } from "../rules/progress.ts";
import { skipped } from "./prepare.ts";

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
