import { BarChart } from "#components/ui/bar-chart.tsx";
import { ChartTip } from "#components/ui/chart-tip.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Preview } from "./calls.ts";

type Bucket = Preview["distribution"][number];

export const colours = { before: "var(--border-strong)", after: "var(--primary)" } as const;

const nameOf = ({ from, to }: Bucket) => `${from}–${to}`;

/** People by score, now and with the changed model. Visual only: the table beside it says the same. */
export function DistributionChart({ distribution }: { distribution: readonly Bucket[] }) {
  return (
    <BarChart
      rows={distribution}
      bars={[
        { name: "before", of: ({ before }) => before, colour: colours.before },
        { name: "after", of: ({ after }) => after, colour: colours.after },
      ]}
      stacked={false}
      words={nameOf}
      tip={(bucket) => (
        <ChartTip title={`Score ${nameOf(bucket)}`}>
          <p className="text-muted-foreground">Now {numeral(bucket.before)}</p>
          <p className="text-muted-foreground">With these signals {numeral(bucket.after)}</p>
        </ChartTip>
      )}
    />
  );
}
