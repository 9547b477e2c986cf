"use client";

import { Bar } from "recharts";
import { BarFrame, ChartTip } from "#components/ui/chart-parts.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Preview } from "./calls.ts";

type Bucket = Preview["distribution"][number];

export const colours = { before: "var(--border-strong)", after: "var(--primary)" } as const;

/** People by score, now and with the changed model. Visual only: the table beside it says the same. */
export function DistributionChart({ distribution }: { distribution: readonly Bucket[] }) {
  return (
    <BarFrame
      rows={distribution.map((bucket) => ({ ...bucket, name: `${bucket.from}–${bucket.to}` }))}
      along={{ field: "name", gap: 4 }}
      gap={{ rows: "15%", bars: 2 }}
      tip={({ name, before, after }) => (
        <ChartTip title={`Score ${name}`}>
          <p className="text-muted-foreground">Now {numeral(before)}</p>
          <p className="text-muted-foreground">With these signals {numeral(after)}</p>
        </ChartTip>
      )}
    >
      <Bar dataKey="before" fill={colours.before} isAnimationActive={false} />
      <Bar dataKey="after" fill={colours.after} isAnimationActive={false} />
    </BarFrame>
  );
}
