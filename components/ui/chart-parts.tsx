"use client";

import type { ReactNode } from "react";
import { BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { numberAs } from "./numbers.ts";

/** How an axis looks in every chart. */
export const axisLook = {
  stroke: "var(--border)",
  tick: { fill: "var(--muted-foreground)", fontSize: 12 },
  tickLine: false,
};

/** What every chart with axes is given: it fills its place, and is not read out, because a table says the same. */
export const chartFrame = {
  responsive: true,
  accessibilityLayer: false,
  margin: { top: 8, right: 8, bottom: 0, left: 0 },
  style: { width: "100%", height: "100%" },
} as const;

/** What is shown of the place that the pointer is at: its name and its values. */
export function ChartTip({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  );
}

type BarFrameProps<Row> = {
  rows: readonly Row[];
  /** The field along the bottom, how it is written there, and how close the words may come. */
  along: { field: keyof Row & string; words?: (value: string) => string; gap: number };
  /** How far apart the rows are, in percent, and the bars of one row, in pixels. */
  gap?: { rows: `${number}%`; bars: number };
  /** A `ChartTip` about the row that the pointer is at. */
  tip: (row: Row) => ReactNode;
  /** The bars. */
  children: ReactNode;
};

/** Counts as bars, with axes. Visual only: show a table that says the same beside it. */
export function BarFrame<Row>({ rows, along, gap = { rows: "20%", bars: 4 }, tip, children }: BarFrameProps<Row>) {
  const field: string = along.field;
  return (
    <BarChart {...chartFrame} data={[...rows]} barCategoryGap={gap.rows} barGap={gap.bars}>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey={field}
        {...(along.words ? { tickFormatter: along.words } : {})}
        minTickGap={along.gap}
        {...axisLook}
      />
      <YAxis
        allowDecimals={false}
        width={42}
        tickFormatter={(count: number) => numberAs("short", count)}
        {...axisLook}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: "var(--hover)" }}
        content={({ active, payload }) => {
          const row = payload[0]?.payload as Row | undefined;
          return active && row ? tip(row) : null;
        }}
      />
      {children}
    </BarChart>
  );
}
