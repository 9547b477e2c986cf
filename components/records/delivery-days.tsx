"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { WithTable } from "#components/ui/with-table.tsx";
import type { DeliveryDay } from "./delivery-days-chart.tsx";
import { ExactDay } from "./exact-time.tsx";
import { LoadProblem } from "./load-problem.tsx";

const Chart = onDemand(
  "The chart",
  () => import("./delivery-days-chart.tsx").then((module) => module.DeliveryDaysChart),
  {
    loading: <Skeleton className="size-full" />,
  },
);

type DeliveryDaysProps = {
  query: UseQueryResult<{ days: readonly DeliveryDay[] }>;
  /** What happened to those that did not fail, such as "delivered". */
  done: string;
  /** Said when there were none. */
  none: string;
  /** What the counts leave out. */
  note?: string | undefined;
};

/** Deliveries of the last 30 days, with those that failed. */
export function DeliveryDays({ query, done, none, note }: DeliveryDaysProps) {
  const days = query.data?.days ?? [];
  const [delivered, failed] = [sum(days.map((day) => day.delivered)), sum(days.map((day) => day.failed))];
  return (
    <Card aria-label="Deliveries by day">
      <CardHeader
        title="Deliveries by day"
        aside={<span className="text-muted-foreground">last 30 days, in UTC</span>}
      />
      <CardBody className="flex flex-col gap-2">
        <LoadProblem title="The deliveries could not be counted" query={query} className="px-0" />
        {query.isPending ? <Skeleton className="h-40 w-full" /> : null}
        {query.data && delivered + failed === 0 ? <p className="text-muted-foreground">{none}</p> : null}
        {delivered + failed > 0 ? (
          <>
            <p className="text-sm">
              {numeral(delivered)} {done}, {numeral(failed)} failed{note ? `. ${note}` : null}
            </p>
            <WithTable
              className="h-40"
              chart={<Chart days={days} done={done} />}
              table={<DaysTable days={days} done={done} />}
            />
          </>
        ) : null}
      </CardBody>
    </Card>
  );
}

function DaysTable({ days, done }: { days: readonly DeliveryDay[]; done: string }) {
  return (
    <table className="mt-1 w-full max-w-md">
      <thead>
        <tr className="text-left text-muted-foreground">
          <th scope="col" className="py-1 font-medium">
            Day
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            {done.charAt(0).toUpperCase() + done.slice(1)}
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Failed
          </th>
        </tr>
      </thead>
      <tbody className="divide-y tabular-nums">
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row" className="py-1 text-left font-normal">
              <ExactDay value={day.day} />
            </th>
            <td className="py-1 text-right">{numeral(day.delivered)}</td>
            <td className="py-1 text-right">{numeral(day.failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
