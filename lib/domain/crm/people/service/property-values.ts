import type { CustomValue } from "#lib/domain/crm/recording/contract.ts";
import { implement } from "#lib/domain/implement.ts";
import { fold } from "#lib/text/fold.ts";
import * as contract from "../contract.ts";
import { MOST_COUNTED } from "../queries/properties.ts";
import { findKeptValues, findShownValues, type ValueRow } from "../queries/property-values.ts";
import { standardField } from "../rules/standard-fields.ts";

export const listPropertyValues = implement(
  contract.listPropertyValues,
  async (ctx, { name, subject, search = "", limit }) => {
    const field = standardField(subject, name);
    const part = fold(search);
    if (field?.type === "date") return { values: [], capped: false };
    if (!field || field.kept.in === "values")
      return answerOf(await findKeptValues(ctx.db, subject, name, field, part, limit), limit);
    const { kept } = field;
    // The columns of a line are part of the row's search text; others are few, and compared here.
    const rows = await findShownValues(ctx.db, subject, kept.column, kept.in === "line" ? part : "");
    return answerOf(
      rows.filter(({ folded }) => fold(folded).includes(part)),
      limit,
    );
  },
);

function answerOf(rows: readonly ValueRow[], limit: number) {
  const values = rows.slice(0, limit).map(({ folded, records, sample }) => ({
    value: writtenOf(folded, sample),
    records: Math.min(records, MOST_COUNTED),
  }));
  return { values, capped: (rows[0]?.seen ?? 0) > MOST_COUNTED };
}

/** The value as the record has it; the folded one when that changed meanwhile. */
function writtenOf(folded: string, sample: CustomValue | null): string | number | boolean {
  const items = sample === null ? [] : [sample].flat();
  return items.find((item) => fold(String(item)) === fold(folded)) ?? folded;
}
