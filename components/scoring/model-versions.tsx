import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { type Signal, useVersions } from "./calls.ts";
import { builderWords } from "./draft.ts";

type ModelVersionsProps = { workspaceId: string; current: number; onRestore: (signals: readonly Signal[]) => void };

/** Every version of the model; an old one can be taken up again, and is saved as a new one. */
export function ModelVersions({ workspaceId, current, onRestore }: ModelVersionsProps) {
  const query = useVersions(workspaceId, current);
  return (
    <Card aria-labelledby="model-versions">
      <CardHeader
        titleId="model-versions"
        title="Versions"
        description="Every version of the model, with how many people it moved."
      />
      <LoadProblem title="The versions could not be loaded" query={query} className="border-t" />
      {query.isPending ? (
        <Loading label="Loading the versions" className="flex flex-col gap-3 border-t px-4 py-3">
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-full" />
        </Loading>
      ) : null}
      <ol aria-label="Versions">
        {query.data?.versions.map(({ version, builder, created_at, changed, signals }) => (
          <li key={version} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-2">
            <span className="w-20 font-medium">Version {version}</span>
            <span className="min-w-48 flex-1 text-muted-foreground text-sm">
              {builderWords[builder]}, <RelativeTime value={created_at} />. {signals.length}{" "}
              {signals.length === 1 ? "signal" : "signals"}, {numeral(changed)} moved.
            </span>
            {version === current ? (
              <Badge tone="accent">In use</Badge>
            ) : (
              <Button
                data-writes
                size="sm"
                aria-label={`Edit version ${version} again`}
                onClick={() => onRestore(signals)}
              >
                Use again
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
