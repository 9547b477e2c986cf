import { ArrowRight } from "lucide-react";
import { stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Preview } from "./stage-calls.ts";

/** How many would move from which stage to which, before their names. */
export function StageMoves({ moves }: { moves: Preview["moves"] }) {
  return (
    <ul aria-label="Moves by stage" className="flex flex-wrap gap-2 border-t px-4 py-3">
      {moves.map(({ from, to, people }) => (
        <li key={`${from} ${to}`} className="flex items-center gap-1.5 rounded-md border px-2 py-1">
          <Badge tone={stageTones[from]}>{stageLabels[from]}</Badge>
          <ArrowRight aria-label="to" className="size-3.5 shrink-0 text-muted-foreground" />
          <Badge tone={stageTones[to]}>{stageLabels[to]}</Badge>
          <span className="pl-1 text-sm tabular-nums">
            {numeral(people)} {people === 1 ? "person" : "people"}
          </span>
        </li>
      ))}
    </ul>
  );
}
