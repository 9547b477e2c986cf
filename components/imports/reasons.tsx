import type { Progress } from "./calls.ts";
import { rowsWords, valuesWords } from "./words.ts";

/** Why rows were skipped, and values do not arrive or stay as they are, the most frequent first. */
export function Reasons({ progress: { reasons } }: { progress: Progress }) {
  if (reasons.length === 0) return null;
  return (
    <ul aria-label="Reasons" className="flex flex-col gap-1 border-t px-4 py-3">
      {reasons.map(({ code, message, rows, cells }) => (
        <li key={code} className="flex gap-3">
          <span className="wrap-anywhere min-w-0 flex-1">{message}</span>
          <span className="shrink-0 text-muted-foreground">
            {cells > 0 ? `${valuesWords(cells)} in ${rowsWords(rows)}` : rowsWords(rows)}
          </span>
        </li>
      ))}
    </ul>
  );
}
