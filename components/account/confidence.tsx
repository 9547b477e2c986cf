"use client";

import { useQuery } from "@tanstack/react-query";
import { ExactTime } from "#components/records/exact-time.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { WithTable } from "#components/ui/with-table.tsx";
import { accountKey, type Calls } from "./calls.ts";

const ConfidenceChart = onDemand(
  "The chart",
  () => import("./confidence-chart.tsx").then((module) => module.ConfidenceChart),
  { loading: <Skeleton className="size-full" /> },
);

type ConfidenceProps = { workspaceId: string; id: string; calls: Calls; property: string };

/** How sure we could be of a fact since it was first recorded. */
export function Confidence({ workspaceId, id, calls, property }: ConfidenceProps) {
  const query = useQuery({
    queryKey: [...accountKey(workspaceId, id), "fact", property, "confidence"],
    queryFn: ({ signal }) => calls.confidence(property, signal),
  });
  const points = query.data?.points ?? [];
  return (
    <section aria-label="Confidence over time">
      <h3 className="pb-1 font-semibold">Confidence over time</h3>
      <LoadProblem title="The confidence could not be loaded" query={query} className="px-0" />
      {query.isPending ? <Skeleton className="h-32 w-full" /> : null}
      {points.length > 0 ? (
        <WithTable
          className="h-32"
          chart={<ConfidenceChart points={points} />}
          table={
            <table className="mt-1 w-full">
              <caption className="sr-only">Confidence over time, the latest first</caption>
              <tbody className="divide-y">
                {points.toReversed().map(({ at, confidence }) => (
                  <tr key={at}>
                    <th scope="row" className="py-1 text-left font-normal text-muted-foreground">
                      <ExactTime value={at} />
                    </th>
                    <td className="py-1 text-right tabular-nums">{Math.round(confidence * 100)}%</td>
                  </tr>
                ))}
              </tbody>
            </table>
          }
        />
      ) : null}
    </section>
  );
}
