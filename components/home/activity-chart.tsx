"use client";

import { Bar } from "recharts";
import { BarFrame, ChartTip } from "#components/ui/chart-parts.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { dayAs } from "#components/ui/times.ts";
import { type KindTotal, kindLooks } from "./activity-kinds.ts";
import type { Activity } from "./calls.ts";

type Day = Activity["days"][number];
type ActivityChartProps = { days: readonly Day[]; kinds: readonly KindTotal[] };

/** One bar a day, split by kind. Visual only: the table beside it says the same. */
export function ActivityChart({ days, kinds }: ActivityChartProps) {
  return (
    <BarFrame
      rows={days}
      along={{ field: "day", words: (day) => dayAs("short", day), gap: 32 }}
      tip={(day) => <DayTip day={day} kinds={kinds} />}
    >
      {kinds.map(({ kind }) => (
        <Bar
          key={kind}
          dataKey={`counts.${kind}`}
          stackId="day"
          fill={kindLooks[kind].colour}
          isAnimationActive={false}
        />
      ))}
    </BarFrame>
  );
}

function DayTip({ day, kinds }: { day: Day; kinds: readonly KindTotal[] }) {
  const happened = kinds.filter(({ kind }) => day.counts[kind] > 0);
  return (
    <ChartTip title={dayAs("weekday", day.day)}>
      {happened.length === 0 ? <p className="text-muted-foreground">Nothing</p> : null}
      <ul className="min-w-30">
        {happened.map(({ kind }) => (
          <li key={kind} className="flex items-center gap-2">
            <span className="size-2 rounded-xs" style={{ background: kindLooks[kind].colour }} />
            <span className="text-muted-foreground">{kindLooks[kind].label}</span>
            <span className="ml-auto pl-4 font-medium">{numeral(day.counts[kind])}</span>
          </li>
        ))}
      </ul>
    </ChartTip>
  );
}
