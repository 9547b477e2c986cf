"use client";

import { Bar } from "recharts";
import { BarFrame, ChartTip } from "#components/ui/chart-parts.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { dayAs } from "#components/ui/times.ts";

/** Deliveries of a day in UTC. */
export type DeliveryDay = { day: string; delivered: number; failed: number };

/** One bar a day: what was accepted below, what failed on top. Visual only: the table says the same. */
export function DeliveryDaysChart({ days, done }: { days: readonly DeliveryDay[]; done: string }) {
  return (
    <BarFrame
      rows={days}
      along={{ field: "day", words: (day) => dayAs("short", day), gap: 32 }}
      tip={({ day, delivered, failed }) => (
        <ChartTip title={dayAs("weekday", day)}>
          <p className="text-muted-foreground">
            {numeral(delivered)} {done}
          </p>
          <p className="text-muted-foreground">{numeral(failed)} failed</p>
        </ChartTip>
      )}
    >
      <Bar dataKey="delivered" stackId="day" fill="var(--success)" isAnimationActive={false} />
      <Bar dataKey="failed" stackId="day" fill="var(--danger)" isAnimationActive={false} />
    </BarFrame>
  );
}
