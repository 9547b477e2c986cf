"use client";

import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { numberAs, numeral } from "#components/ui/numbers.ts";
import { dayAs } from "#components/ui/times.ts";
import { type KindTotal, kindLooks } from "./activity-kinds.ts";
import type { Activity } from "./calls.ts";

type Day = Activity["days"][number];
type ActivityChartProps = { days: readonly Day[]; kinds: readonly KindTotal[] };

const axis = { stroke: "var(--border)", tick: { fill: "var(--muted-foreground)", fontSize: 12 }, tickLine: false };

/** One bar a day, split by kind. Visual only: the table beside it says the same. */
export function ActivityChart({ days, kinds }: ActivityChartProps) {
  return (
    <BarChart
      responsive
      data={[...days]}
      accessibilityLayer={false}
      barCategoryGap="20%"
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      style={{ width: "100%", height: "100%" }}
    >
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis dataKey="day" tickFormatter={(day: string) => dayAs("short", day)} minTickGap={32} {...axis} />
      <YAxis
        allowDecimals={false}
        width={42}
        tickFormatter={(count: number) => numberAs("short", count)}
        {...axis}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: "var(--hover)" }}
        content={({ active, payload }) => {
          const day = payload[0]?.payload as Day | undefined;
          return active && day ? <DayCard day={day} kinds={kinds} /> : null;
        }}
      />
      {kinds.map(({ kind }) => (
        <Bar
          key={kind}
          dataKey={`counts.${kind}`}
          stackId="day"
          fill={kindLooks[kind].colour}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  );
}

function DayCard({ day, kinds }: { day: Day; kinds: readonly KindTotal[] }) {
  const happened = kinds.filter(({ kind }) => day.counts[kind] > 0);
  return (
    <div className="min-w-36 rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
      <p className="font-medium">{dayAs("weekday", day.day)}</p>
      {happened.length === 0 ? <p className="text-muted-foreground">Nothing</p> : null}
      <ul>
        {happened.map(({ kind }) => (
          <li key={kind} className="flex items-center gap-2">
            <span className="size-2 rounded-xs" style={{ background: kindLooks[kind].colour }} />
            <span className="text-muted-foreground">{kindLooks[kind].label}</span>
            <span className="ml-auto pl-4 font-medium">{numeral(day.counts[kind])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
