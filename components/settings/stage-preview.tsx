import { LoadProblem } from "#components/records/load-problem.tsx";
import { Mover } from "#components/records/mover.tsx";
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

/** Who the rules would move, and why. The preview changes nothing. */
export function StagePreview({ workspaceId, table }: { workspaceId: string; table: StageTable }) {
  const preview = usePreview(workspaceId, table);
  const { data, error, refetch, isFetching } = preview;
  return (
    <Card aria-labelledby="stage-preview" aria-live="polite">
      <CardHeader
        titleId="stage-preview"
        title="Preview"
        description={data ? summaryOf(data) : "Checking past activity."}
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
              <Mover
                key={entity_id}
                workspaceId={workspaceId}
                entityId={entity_id}
                name={name}
                why={
                  <>
                    {wordsOf(because.type)}, <RelativeTime value={because.occurred_at} />
                  </>
                }
                before={<StageBadge stage={from} />}
                after={<StageBadge stage={to} />}
              />
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
