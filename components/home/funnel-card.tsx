"use client";

import { Users } from "lucide-react";
import Link from "next/link";
import { stageLabels } from "#components/records/stages.ts";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { homeCallsOf, type Overview } from "./calls.ts";
import { conversions } from "./conversions.ts";
import { HomeCard, useCard } from "./home-card.tsx";

type FunnelCardProps = { workspaceId: string; initial: Overview; readAt: number };

/** People by stage, each bar relative to the longest. For screen readers it is a table. */
export function FunnelCard({ workspaceId, initial, readAt }: FunnelCardProps) {
  const query = useCard(workspaceId, "overview", initial, readAt, homeCallsOf(workspaceId).overview);
  const { stages, people } = query.data;
  const most = Math.max(1, ...stages.map((each) => each.people));
  const onward = conversions(stages.map((each) => each.people));
  return (
    <HomeCard
      title="Pipeline"
      aside={
        people > 0 ? (
          <span className="text-muted-foreground">
            {numeral(people)} {people === 1 ? "person" : "people"}
          </span>
        ) : null
      }
      query={query}
    >
      {people === 0 ? (
        <EmptyState
          icon={<Users />}
          also={<SampleOffer />}
          action={
            <Button asChild>
              <Link href={`/${workspaceId}/people?new=1`}>Add person</Link>
            </Button>
          }
        >
          People by stage, once there are any.
        </EmptyState>
      ) : (
        <table aria-label="People by stage" className="w-full">
          <thead className="sr-only">
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">People</th>
              <th scope="col">Share of the stage before that got this far</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((each, place) => (
              <tr key={each.stage} className="relative hover:bg-hover/60">
                <th scope="row" className="w-28 py-1.5 pl-4 text-left font-normal">
                  <Link
                    href={`/${workspaceId}/people?pipeline_stage=${each.stage}`}
                    prefetch={false}
                    className="after:absolute after:inset-0"
                  >
                    {stageLabels[each.stage]}
                  </Link>
                </th>
                <td className="py-1.5">
                  <span className="flex items-center gap-3">
                    <span className="h-5 flex-1">
                      {each.people > 0 ? (
                        <span
                          aria-hidden="true"
                          className="block h-full min-w-px rounded-xs bg-primary"
                          style={{ width: `${(each.people / most) * 100}%` }}
                        />
                      ) : null}
                    </span>
                    <span className="w-14 text-right font-medium">{numeral(each.people)}</span>
                  </span>
                </td>
                <td
                  className="relative w-14 py-1.5 pr-4 text-right text-muted-foreground text-sm tabular-nums"
                  title={
                    onward[place]
                      ? `${onward[place]} of ${stageLabels[stages[place - 1]?.stage ?? each.stage]} got this far`
                      : undefined
                  }
                >
                  {onward[place] ?? ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </HomeCard>
  );
}
