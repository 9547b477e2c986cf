import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** The place for a file, and the imports before. */
export function ImportsSkeleton() {
  return (
    <Loading label="Loading imports" className="flex flex-col gap-5">
      <Card className="flex flex-col gap-3 p-4">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-36 w-full" />
      </Card>
      <HistorySkeleton />
    </Loading>
  );
}

function HistorySkeleton() {
  return (
    <Card className="divide-y">
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex flex-col gap-2 px-4 py-3">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-3/5" />
        </div>
      ))}
    </Card>
  );
}
