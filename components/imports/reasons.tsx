import type { Progress } from "./calls.ts";
import { rowsWords } from "./words.ts";

/** Why rows were skipped or values kept, the most frequent first. */
export function Reasons({ progress: { reasons } }: { progress: Progress }) {
  if (reasons.length === 0) return null;
  return (
    <ul aria-label="Reasons" className="flex flex-col gap-1 border-t px-4 py-3">
      {reasons.map(({ code, message, rows }) => (
        <li key={code} className="flex gap-3">
          <span className="wrap-anywhere min-w-0 flex-1">{message}</span>
          <span className="shrink-0 text-muted-foreground">{rowsWords(rows)}</span>
        </li>
      ))}
    </ul>
  );
}
