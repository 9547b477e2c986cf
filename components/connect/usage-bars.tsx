"use client";

import { Bar, BarChart } from "recharts";

/** A bar a day, without axes. Visual only: the figures are beside it. */
export function UsageBars({ days, calls }: { days: readonly string[]; calls: readonly number[] }) {
  return (
    <BarChart
      responsive
      data={days.map((day, index) => ({ day, calls: calls[index] ?? 0 }))}
      accessibilityLayer={false}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="15%"
      style={{ width: "100%", height: "100%" }}
    >
      <Bar dataKey="calls" fill="var(--chart-1)" minPointSize={1} isAnimationActive={false} />
    </BarChart>
  );
}
