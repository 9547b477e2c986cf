"use client";

import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getTrends } from "#components/operations/overview.ts";
import { numeral } from "#components/ui/numbers.ts";
import { Sparkline } from "#components/ui/sparkline.tsx";
import { inBatches } from "./in-batches.ts";

/** The most that the operation returns at once. */
const MOST = 100;

const trendOf = inBatches(MOST, async (workspaceId, ids) => {
  const { trends } = await callOperation(getTrends, workspaceId, { ids });
  return new Map(trends.map(({ id, weeks }) => [id, weeks]));
});

type TrendProps = { workspaceId: string; id: string };

/** How much happened with a person or company in each of the last 12 weeks; rows in view are read together. */
export const useTrend = ({ workspaceId, id }: TrendProps) =>
  useQuery({
    queryKey: ["trend", workspaceId, id],
    queryFn: async () => (await trendOf(workspaceId, id)) ?? [],
    staleTime: 300_000,
  });

/** `12 activities in 12 weeks, 3 in the last` */
export function trendWords(weeks: readonly number[]): string {
  const total = weeks.reduce((sum, count) => sum + count, 0);
  if (total === 0) return "No activity in 12 weeks";
  return `${numeral(total)} ${total === 1 ? "activity" : "activities"} in 12 weeks, ${numeral(weeks.at(-1) ?? 0)} in the last`;
}

/** The same as a picture, for a row of a list. A trend that could not be read is left out. */
export function Trend(props: TrendProps) {
  const { data } = useTrend(props);
  return data && data.length > 0 ? <Sparkline values={data} label={trendWords(data)} className="block" /> : null;
}
