"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartColumn, Table2 } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { dayAs } from "#components/ui/times.ts";
import { useInSight } from "#components/ui/use-in-sight.ts";
import { type KindTotal, kindLooks, kindsOf } from "./activity-kinds.ts";
import { type Activity, homeCallsOf } from "./calls.ts";
import { freshMs, HomeCard } from "./home-card.tsx";

const ActivityChart = onDemand(
  "The chart",
  () => import("./activity-chart.tsx").then((module) => module.ActivityChart),
  { loading: <Skeleton className="size-full" /> },
);

/**
 * What happened over the last 30 days, as a chart or a table. Fetched by the browser, because only it knows the
 * reader's time zone.
 */
export function ActivityCard({ workspaceId }: { workspaceId: string }) {
  const [asTable, setAsTable] = useState(false);
  const query = useQuery({
    queryKey: ["home", workspaceId, "activity"],
    queryFn: ({ signal }) => homeCallsOf(workspaceId).activity(signal),
    refetchInterval: freshMs,
  });
  const { data } = query;
  const happened = data !== undefined && data.total > 0;
  return (
    <HomeCard
      title="Activity"
      aside={<span className="text-muted-foreground">last 30 days</span>}
      actions={
        happened ? (
          <Button variant="ghost" size="sm" onClick={() => setAsTable(!asTable)}>
            {asTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            {asTable ? "Show chart" : "Show table"}
          </Button>
        ) : null
      }
      query={query}
    >
      {data === undefined && !query.error ? (
        <Loading label="Loading the activity" className="flex flex-col gap-3 px-4 py-3">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-52" />
        </Loading>
      ) : null}
      {data?.total === 0 ? (
        <EmptyState
          icon={<ChartColumn />}
          action={
            <Button asChild>
              <Link href={`/${workspaceId}/connect`}>Connect an agent</Link>
            </Button>
          }
        >
          E-mails, calls, meetings and visits appear here by day, once agents and integrations report them.
        </EmptyState>
      ) : null}
      {happened ? <Days activity={data} asTable={asTable} /> : null}
    </HomeCard>
  );
}

function Days({ activity, asTable }: { activity: Activity; asTable: boolean }) {
  const kinds = kindsOf(activity);
  return (
    <div className="relative">
      {asTable ? null : (
        <div aria-hidden="true" className="flex flex-col gap-2 px-4 py-3">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {kinds.map(({ kind, total }) => (
              <li key={kind} className="flex items-center gap-1.5">
                <span className="size-2 rounded-xs" style={{ background: kindLooks[kind].colour }} />
                <span className="text-muted-foreground">{kindLooks[kind].label}</span>
                <span className="font-medium">{numeral(total)}</span>
              </li>
            ))}
          </ul>
          <ChartInSight days={activity.days} kinds={kinds} />
        </div>
      )}
      <DaysTable activity={activity} kinds={kinds} hidden={!asTable} />
    </div>
  );
}

/** The chart is drawn when the reader comes to it: on a phone that is below everything else. */
function ChartInSight(props: ComponentProps<typeof ActivityChart>) {
  const [place, seen] = useInSight<HTMLDivElement>();
  return (
    <div ref={place} className="-ml-2 h-52">
      {seen ? <ActivityChart {...props} /> : null}
    </div>
  );
}

type DaysTableProps = { activity: Activity; kinds: readonly KindTotal[]; hidden: boolean };

/** The same in figures, today first; while the chart is shown it is there for screen readers. */
function DaysTable({ activity, kinds, hidden }: DaysTableProps) {
  return (
    <section
      aria-label="Activity by day"
      tabIndex={hidden ? undefined : 0}
      className={hidden ? "sr-only" : "max-h-72 overflow-auto"}
    >
      <table className="w-full">
        <thead>
          <tr className="sticky top-0 bg-card text-muted-foreground text-sm">
            <th scope="col" className="px-4 py-1.5 text-left font-medium">
              Day
            </th>
            {kinds.map(({ kind }) => (
              <th key={kind} scope="col" className="px-2 py-1.5 text-right font-medium last:pr-4">
                {kindLooks[kind].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {activity.days.toReversed().map(({ day, counts }) => (
            <tr key={day}>
              <th scope="row" className="whitespace-nowrap px-4 py-1.5 text-left font-normal">
                {dayAs("weekday", day)}
              </th>
              {kinds.map(({ kind }) => (
                <td
                  key={kind}
                  className={cn("px-2 py-1.5 text-right last:pr-4", counts[kind] === 0 && "text-muted-foreground")}
                >
                  {numeral(counts[kind])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
