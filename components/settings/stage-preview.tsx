import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { isStage, stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { type Preview, type StageTable, usePreview } from "./stage-calls.ts";
import { StageMoves } from "./stage-moves.tsx";

/** Whom the rules would move, and why. The preview changes nothing. */
export function StagePreview({ workspaceId, table }: { workspaceId: string; table: StageTable }) {
  const preview = usePreview(workspaceId, table);
  const { data, error, refetch, isFetching } = preview;
  return (
    <Card aria-labelledby="stage-preview" aria-live="polite">
      <CardHeader
        titleId="stage-preview"
        title="Preview"
        description={data ? summaryOf(data) : "Looking at what has happened already."}
        actions={
          data ? (
            <Button size="sm" loading={isFetching} onClick={() => void refetch()}>
              Look again
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
      {!data && !error ? <PreviewSkeleton /> : null}
      {data && data.would_move > 0 ? (
        <>
          <StageMoves moves={data.moves} />
          <ul aria-label="Who would move" className="border-t">
            {data.people.map(({ entity_id, name, from, to, because }) => (
              <li
                key={entity_id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-2 first:border-t-0"
              >
                <div className="min-w-48 flex-1">
                  <Link
                    href={`/${workspaceId}/accounts/${entity_id}`}
                    prefetch={false}
                    className="wrap-anywhere rounded-xs font-medium hover:underline"
                  >
                    {name}
                  </Link>
                  <p className="text-muted-foreground text-sm">
                    {wordsOf(because.type)}, <RelativeTime value={because.occurred_at} />
                  </p>
                </div>
                <span className="flex items-center gap-1.5">
                  <StageBadge stage={from} />
                  <ArrowRight aria-label="to" className="size-3.5 text-muted-foreground" />
                  <StageBadge stage={to} />
                </span>
              </li>
            ))}
          </ul>
          {data.would_move > data.people.length ? (
            <CardFooter>And {numeral(data.would_move - data.people.length)} more.</CardFooter>
          ) : null}
        </>
      ) : null}
    </Card>
  );
}

const count = (number: number) => numeral(number);

function summaryOf({ would_move, examined, sampled }: Preview): string {
  const looked = sampled
    ? `Only the ${count(examined)} people active last were looked at.`
    : `${count(examined)} ${examined === 1 ? "person was" : "people were"} active in these days.`;
  if (would_move === 0) return `No one would move. ${looked}`;
  return `${count(would_move)} ${would_move === 1 ? "person" : "people"} would move. ${looked}`;
}

function StageBadge({ stage }: { stage: string }) {
  return isStage(stage) ? <Badge tone={stageTones[stage]}>{stageLabels[stage]}</Badge> : <Badge>{stage}</Badge>;
}

function PreviewSkeleton() {
  return (
    <Loading label="Making the preview" className="flex flex-col gap-3 border-t px-4 py-3">
      {["a", "b", "c"].map((row) => (
        <Skeleton key={row} className="h-8 w-full" />
      ))}
    </Loading>
  );
}
