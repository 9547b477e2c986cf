"use client";

import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { numberAs, numeral } from "#components/ui/numbers.ts";
import { dayAs } from "#components/ui/times.ts";

/** Deliveries of a day in UTC. */
export type DeliveryDay = { day: string; delivered: number; failed: number };

const axis = { stroke: "var(--border)", tick: { fill: "var(--muted-foreground)", fontSize: 12 }, tickLine: false };

/** One bar a day: what was accepted below, what failed on top. Visual only: the table says the same. */
export function DeliveryDaysChart({ days, done }: { days: readonly DeliveryDay[]; done: string }) {
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
          const day = payload[0]?.payload as DeliveryDay | undefined;
          return active && day ? (
            <div className="rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
              <p className="font-medium">{dayAs("weekday", day.day)}</p>
              <p className="text-muted-foreground">
                {numeral(day.delivered)} {done}
              </p>
              <p className="text-muted-foreground">{numeral(day.failed)} failed</p>
            </div>
          ) : null;
        }}
      />
      <Bar dataKey="delivered" stackId="day" fill="var(--success)" isAnimationActive={false} />
      <Bar dataKey="failed" stackId="day" fill="var(--danger)" isAnimationActive={false} />
    </BarChart>
  );
}
