import type { ReactNode } from "react";
import { Progress } from "#components/ui/progress.tsx";
import type { Progress as Counts, RowOutcome } from "./calls.ts";
import { durationWords, figure, outcomes, rowsWords } from "./words.ts";

type WorkingProps = {
  title: string;
  progress: Counts | null;
  /** How many rows there are. */
  rows: number | null;
  looks: Readonly<Record<RowOutcome, { label: string }>>;
  action?: ReactNode;
};

/** How far a check or a run is: rows, rate, time left. */
export function Working({ title, progress, rows, looks, action }: WorkingProps) {
  const done = progress?.rows_done ?? 0;
  const { rows_per_second: rate = null, seconds_left: left = null } = progress ?? {};
  return (
    <div className="flex flex-col gap-3 px-4 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="text-muted-foreground text-sm">
            {rows === null ? rowsWords(done) : `${figure(done)} of ${rowsWords(rows)}`}
            {rate === null ? null : ` · ${figure(Math.round(rate))} rows a second`}
            {left === null || left === 0 ? null : ` · about ${durationWords(left)} left`}
          </p>
        </div>
        {action}
      </div>
      <Progress value={done} max={Math.max(1, rows ?? done)} label={title} />
      {progress && done > 0 ? (
        <p className="text-muted-foreground text-sm">
          {outcomes.map((each) => `${looks[each].label} ${figure(progress[each])}`).join(" · ")}
        </p>
      ) : null}
    </div>
  );
}
