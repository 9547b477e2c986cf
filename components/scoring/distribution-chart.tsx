"use client";

import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { numberAs, numeral } from "#components/ui/numbers.ts";
import type { Preview } from "./calls.ts";

type Bucket = Preview["distribution"][number];

const axis = { stroke: "var(--border)", tick: { fill: "var(--muted-foreground)", fontSize: 12 }, tickLine: false };

export const colours = { before: "var(--border-strong)", after: "var(--primary)" } as const;

/** People by score, now and with the changed model. Visual only: the table beside it says the same. */
export function DistributionChart({ distribution }: { distribution: readonly Bucket[] }) {
  return (
    <BarChart
      responsive
      data={distribution.map((bucket) => ({ ...bucket, name: `${bucket.from}–${bucket.to}` }))}
      accessibilityLayer={false}
      barCategoryGap="15%"
      barGap={2}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      style={{ width: "100%", height: "100%" }}
    >
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis dataKey="name" minTickGap={4} {...axis} />
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
          const bucket = payload[0]?.payload as (Bucket & { name: string }) | undefined;
          return active && bucket ? (
            <div className="rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
              <p className="font-medium">Score {bucket.name}</p>
              <p className="text-muted-foreground">Now {numeral(bucket.before)}</p>
              <p className="text-muted-foreground">With these signals {numeral(bucket.after)}</p>
            </div>
          ) : null;
        }}
      />
      <Bar dataKey="before" fill={colours.before} isAnimationActive={false} />
      <Bar dataKey="after" fill={colours.after} isAnimationActive={false} />
    </BarChart>
  );
}
