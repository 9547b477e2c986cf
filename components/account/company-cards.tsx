"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { callOperation } from "#components/api.ts";
import { getCompanyStages } from "#components/operations/overview.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { stageLabels } from "#components/records/stages.ts";
import { trendWords, useTrend } from "#components/records/trend.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { Sparkline } from "#components/ui/sparkline.tsx";
import { accountKey } from "./calls.ts";

type CompanyProps = { workspaceId: string; id: string };

/** How many people of a company are at each stage; each leads to them. */
export function CompanyStages({ workspaceId, id, onAdd }: CompanyProps & { onAdd: () => void }) {
  const query = useQuery({
    queryKey: [...accountKey(workspaceId, id), "stages"],
    queryFn: ({ signal }) => callOperation(getCompanyStages, workspaceId, { id }, { signal }),
  });
  const most = Math.max(1, ...(query.data?.stages.map(({ people }) => people) ?? []));
  return (
    <Card>
      <CardHeader
        title="People by stage"
        actions={
          <Button data-writes size="sm" aria-haspopup="dialog" onClick={onAdd}>
            <Plus aria-hidden="true" /> Add person
          </Button>
        }
      />
      <LoadProblem title="The people could not be counted" query={query} />
      {query.isPending ? (
        <Loading label="Counting the people" className="flex flex-col gap-2.5 border-t px-4 py-3">
          {["a", "b", "c", "d", "e"].map((row) => (
            <Skeleton key={row} className="h-4 w-full" />
          ))}
        </Loading>
      ) : null}
      {query.data?.people === 0 ? (
        <p className="border-t px-4 py-3 text-muted-foreground">
          No one yet. People with a business address of this company are linked automatically.
        </p>
      ) : null}
      {query.data && query.data.people > 0 ? (
        <ul aria-label="People by stage" className="border-t py-1">
          {query.data.stages.map(({ stage, people }) => (
            <li key={stage}>
              <Link
                href={`/${workspaceId}/people?company_id=${id}&pipeline_stage=${stage}`}
                prefetch={false}
                className="flex min-h-7 items-center gap-2.5 px-4 text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="w-20 shrink-0">{stageLabels[stage]}</span>
                <span aria-hidden="true" className="h-3 flex-1">
                  {people > 0 ? (
                    <span
                      className="block h-full min-w-px rounded-xs bg-primary"
                      style={{ width: `${(people / most) * 100}%` }}
                    />
                  ) : null}
                </span>
                <span className="w-10 text-right tabular-nums">{numeral(people)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

/** What happened with a company and its people in the last 12 weeks. */
export function CompanyTrend({ workspaceId, id }: CompanyProps) {
  const query = useTrend({ workspaceId, id });
  return (
    <Card>
      <CardHeader title="Activity" />
      <div className="border-t px-4 py-3 text-sm">
        <LoadProblem title="The activity could not be counted" query={query} className="px-0" />
        {query.isPending ? (
          <Loading label="Counting the activity">
            <Skeleton className="h-10 w-full" />
          </Loading>
        ) : null}
        {query.data && query.data.length > 0 ? (
          <>
            <Sparkline values={query.data} label={trendWords(query.data)} className="block h-10 w-full" />
            <p aria-hidden="true" className="mt-2 text-muted-foreground">
              {trendWords(query.data)}
            </p>
          </>
        ) : null}
      </div>
    </Card>
  );
}
