import type { Cell } from "../queries/batches.ts";
import { valueIn } from "./cells.ts";
import type { LeftOut, RowResult } from "./progress.ts";
import type { Plan } from "./rows.ts";

const hasValue = (cell: Cell | undefined): boolean => typeof cell === "number" || valueIn(cell) !== null;

/**
 * How many values of a batch do not arrive: of columns that are left out, and of rows that are skipped, which count for the first
 * reason.
 */
export function lostIn(
  plan: Pick<Plan, "leftOut">,
  cells: readonly (readonly Cell[])[],
  results: readonly (RowResult | null)[],
): { results: (RowResult | null)[]; leftOut: LeftOut } {
  const leftOut = { rows: 0, cells: 0 };
  const counted = results.map((result, index) => {
    const row = cells[index] ?? [];
    const out = plan.leftOut.reduce((sum, place) => sum + (hasValue(row[place]) ? 1 : 0), 0);
    if (out > 0) leftOut.rows++;
    leftOut.cells += out;
    if (result?.outcome !== "skipped") return result;
    const lost = row.reduce<number>((sum, cell) => sum + (hasValue(cell) ? 1 : 0), 0) - out;
    const reasons = result.reasons.map((reason, place) => ({ ...reason, cells: place === 0 ? lost : 0 }));
    return { ...result, reasons };
  });
  return { results: counted, leftOut };
}
