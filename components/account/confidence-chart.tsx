"use client";

import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { axisLook, ChartTip, chartFrame } from "#components/ui/chart-parts.tsx";
import { timeAs } from "#components/ui/times.ts";

type Point = { at: string; confidence: number };

const percent = (value: number) => `${Math.round(value * 100)}%`;
const day = (at: number) => timeAs("short", at);

/** Confidence over time. Visual only: the table below it says the same. */
export function ConfidenceChart({ points }: { points: readonly Point[] }) {
  return (
    <AreaChart {...chartFrame} data={points.map(({ at, confidence }) => ({ at: Date.parse(at), confidence }))}>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={["dataMin", "dataMax"]}
        tickFormatter={day}
        minTickGap={40}
        {...axisLook}
      />
      <YAxis domain={[0, 1]} ticks={[0, 0.5, 1]} width={42} tickFormatter={percent} {...axisLook} axisLine={false} />
      <Tooltip
        isAnimationActive={false}
        content={({ active, payload }) => {
          const point = payload[0]?.payload as { at: number; confidence: number } | undefined;
          return active && point ? (
            <ChartTip title={percent(point.confidence)}>
              <p className="text-muted-foreground">{timeAs("day", point.at)}</p>
            </ChartTip>
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
