import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Mover } from "#components/records/mover.tsx";
import { tiers } from "#components/records/tiers.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import type { Preview, usePreview } from "./calls.ts";

const DistributionChart = onDemand(
  "The chart",
  () => import("./distribution-chart.tsx").then((module) => module.DistributionChart),
  { loading: <Skeleton className="size-full" /> },
);

type Standing = Preview["movers"][number]["before"];

/** Who would move with the edited signals, and how scores would be spread. It changes nothing. */
export function ScorePreview({
  workspaceId,
  preview,
}: {
  workspaceId: string;
  preview: ReturnType<typeof usePreview>;
}) {
  const { data, error } = preview;
  const [asTable, setAsTable] = useState(false);
  return (
    <Card aria-labelledby="score-preview" aria-live="polite">
      <CardHeader
        titleId="score-preview"
        title="Preview"
        description={data ? summaryOf(data) : "Scoring people with these signals. Nothing is changed."}
        actions={
          data && data.examined > 0 ? (
            <Button size="sm" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              {asTable ? "Show as a chart" : "Show as a table"}
            </Button>
          ) : null
        }
      />
      <LoadProblem
        title="The preview could not be made"
        query={preview}
        note="Nothing is changed."
        className="border-t"
      />
      {!data && !error ? (
        <Loading label="Making the preview" className="flex flex-col gap-3 border-t px-4 py-3">
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-8 w-full" />
        </Loading>
      ) : null}
      {data && data.examined > 0 ? (
        <>
          <CardBody className="flex flex-col gap-3 border-t">
            <ul aria-label="People by tier" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
              {data.by_tier.map(({ tier, before, after }) => (
                <li key={tier} className="flex items-center gap-1.5">
                  <span className="text-muted-foreground">{tier === "no_score" ? "No score" : tiers[tier].label}</span>
                  <span className="font-medium tabular-nums">
                    {before === after ? count(after) : `${count(before)} → ${count(after)}`}
                  </span>
                </li>
              ))}
            </ul>
            {asTable ? null : (
              <div aria-hidden="true" className="-ml-2 h-44">
                <DistributionChart distribution={data.distribution} />
              </div>
            )}
            <DistributionTable preview={data} hidden={!asTable} />
          </CardBody>
          {data.movers.length > 0 ? <Movers workspaceId={workspaceId} preview={data} /> : null}
        </>
      ) : null}
    </Card>
  );
}

/** The chart in figures; while it is shown as a chart this is there for screen readers. */
function DistributionTable({ preview, hidden }: { preview: Preview; hidden: boolean }) {
  return (
    <table className={hidden ? "sr-only" : "w-full text-left text-sm"}>
      <caption className="sr-only">People by score</caption>
      <thead>
        <tr className="text-muted-foreground *:py-1 *:font-normal">
          <th scope="col">Score</th>
          <th scope="col" className="text-right">
            Now
          </th>
          <th scope="col" className="text-right">
            With these signals
          </th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {preview.distribution.map(({ from, to, before, after }) => (
          <tr key={from} className="border-t *:py-1">
            <th scope="row" className="font-normal">
              {from}–{to}
            </th>
            <td className="text-right">{count(before)}</td>
            <td className="text-right">{count(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Movers({ workspaceId, preview }: { workspaceId: string; preview: Preview }) {
  const { movers, would_move } = preview;
  return (
    <>
      <ul aria-label="Who would move" className="border-t">
        {movers.map(({ entity_id, name, before, after, reason }) => (
          <Mover
            key={entity_id}
            workspaceId={workspaceId}
            entityId={entity_id}
            name={name}
            why={reason}
            before={<StandingBadge standing={before} />}
            after={<StandingBadge standing={after} />}
          />
        ))}
      </ul>
      {would_move > movers.length ? <CardFooter>And {count(would_move - movers.length)} more.</CardFooter> : null}
    </>
  );
}

function StandingBadge({ standing }: { standing: Standing }) {
  if (!standing) return <Badge>No score</Badge>;
  return <Badge tone={tiers[standing.tier].tone}>{standing.score}</Badge>;
}

const count = (number: number): string => numeral(number);
const people = (number: number): string => `${count(number)} ${number === 1 ? "person" : "people"}`;

function summaryOf({ would_move, up, down, examined, sampled }: Preview): string {
  if (examined === 0) return "There are no people to score yet.";
  const looked = sampled
    ? `Only the ${count(examined)} people active last were looked at.`
    : `${people(examined)} looked at.`;
  if (would_move === 0) return `No one would move. ${looked}`;
  return `${people(would_move)} would move: ${count(up)} up, ${count(down)} down. ${looked}`;
}
