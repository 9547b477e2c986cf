import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

export function TriggersSkeleton() {
  return (
    <Loading label="Loading triggers">
      <Card className="divide-y">
        {[1, 2, 3].map((row) => (
          <div key={row} className="flex items-center justify-between gap-4 px-4 py-3">
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-3 w-3/5" />
            </div>
            <Skeleton className="h-5 w-24" />
          </div>
        ))}
      </Card>
    </Loading>
  );
}
