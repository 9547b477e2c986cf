"use client";

import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { timeAs } from "#components/ui/times.ts";

type Point = { at: string; confidence: number };

const axis = { stroke: "var(--border)", tick: { fill: "var(--muted-foreground)", fontSize: 12 }, tickLine: false };
const percent = (value: number) => `${Math.round(value * 100)}%`;
const day = (at: number) => timeAs("short", at);

/** Confidence over time. Visual only: the table below it says the same. */
export function ConfidenceChart({ points }: { points: readonly Point[] }) {
  return (
    <AreaChart
      responsive
      data={points.map(({ at, confidence }) => ({ at: Date.parse(at), confidence }))}
      accessibilityLayer={false}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      style={{ width: "100%", height: "100%" }}
    >
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={["dataMin", "dataMax"]}
        tickFormatter={day}
        minTickGap={40}
        {...axis}
      />
      <YAxis domain={[0, 1]} ticks={[0, 0.5, 1]} width={42} tickFormatter={percent} {...axis} axisLine={false} />
      <Tooltip
        isAnimationActive={false}
        content={({ active, payload }) => {
          const point = payload[0]?.payload as { at: number; confidence: number } | undefined;
          return active && point ? (
            <div className="rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
              <p className="font-medium">{percent(point.confidence)}</p>
              <p className="text-muted-foreground">{timeAs("day", point.at)}</p>
            </div>
          ) : null;
        }}
      />
      <Area
        dataKey="confidence"
        type="linear"
        stroke="var(--chart-1)"
        strokeWidth={1.5}
        fill="var(--chart-1)"
        fillOpacity={0.12}
        isAnimationActive={false}
      />
    </AreaChart>
  );
}
