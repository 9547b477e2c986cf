"use client";

import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getAgentUsage } from "#components/operations/agent-usage.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const DAYS = 14;
const EVERY_MS = 15_000;

const UsageBars = onDemand("The chart", () => import("./usage-bars.tsx").then((module) => module.UsageBars), {
  loading: <Skeleton className="h-6 w-28" />,
});

const named: Readonly<Record<string, string>> = { unknown: "No name given", other: "Other clients" };

/** Which clients call, and how often; nothing until the first call was counted. */
export function Usage({ workspaceId }: { workspaceId: string }) {
  const query = useQuery({
    queryKey: ["agent-usage", workspaceId],
    queryFn: ({ signal }) => callOperation(getAgentUsage, workspaceId, { days: DAYS }, { signal }),
    refetchInterval: EVERY_MS,
  });
  const { data } = query;
  if (data === undefined || data.total === 0)
    return <LoadProblem title="The calls could not be loaded" query={query} className="rounded-lg border" />;
  return (
    <Card>
      <CardHeader
        title="Calls by client"
        aside={<span className="text-muted-foreground">last {DAYS} days, in UTC</span>}
      />
      <LoadProblem title="This could not be refreshed" query={query} className="border-t" />
      <div className="overflow-x-auto border-t">
        <table className="w-full">
          <thead>
            <tr className="text-muted-foreground text-sm">
              <th scope="col" className="px-4 py-1.5 text-left font-medium">
                Client
              </th>
              <th scope="col" className="px-2 py-1.5 text-left font-medium">
                By day
              </th>
              <th scope="col" className="px-2 py-1.5 text-right font-medium">
                Calls
              </th>
              <th scope="col" className="px-2 py-1.5 pr-4 text-right font-medium">
                Last
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {data.clients.map(({ client, calls, by_day, last_at }) => (
              <tr key={client}>
                <th scope="row" className="wrap-anywhere px-4 py-2 text-left font-normal">
                  {named[client] ?? client}
                </th>
                <td className="px-2 py-2">
                  <span className="sr-only">{by_day.join(", ")}</span>
                  <span aria-hidden="true" className="block h-6 w-28">
                    <UsageBars days={data.days} calls={by_day} />
                  </span>
                </td>
                <td className="px-2 py-2 text-right tabular-nums">{numeral(calls)}</td>
                <td className="whitespace-nowrap px-2 py-2 pr-4 text-right text-muted-foreground">
                  <RelativeTime value={last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
