import { BarChart } from "#components/ui/bar-chart.tsx";
import { ChartTip } from "#components/ui/chart-tip.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { dayAs } from "#components/ui/times.ts";

/** Deliveries of a day in UTC. */
export type DeliveryDay = { day: string; delivered: number; failed: number };

/** One bar a day: what was accepted below, what failed on top. Visual only: the table says the same. */
export function DeliveryDaysChart({ days, done }: { days: readonly DeliveryDay[]; done: string }) {
  return (
    <BarChart
      rows={days}
      bars={[
        { name: "delivered", of: ({ delivered }) => delivered, colour: "var(--success)" },
        { name: "failed", of: ({ failed }) => failed, colour: "var(--danger)" },
      ]}
      stacked
      words={({ day }) => dayAs("short", day)}
      tip={({ day, delivered, failed }) => (
        <ChartTip title={dayAs("weekday", day)}>
          <p className="text-muted-foreground">
            {numeral(delivered)} {done}
          </p>
          <p className="text-muted-foreground">{numeral(failed)} failed</p>
        </ChartTip>
      )}
    />
  );
}
