import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** The shape of the log. */
export function DeliveriesSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <Loading label="Loading deliveries">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
        <div key={row} className="flex h-15.5 items-start gap-3 border-t px-4 py-3 first:border-t-0">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="w-48 max-w-full" />
            <Skeleton className="h-3.5 w-36" />
          </div>
          <Skeleton className="w-14" />
        </div>
      ))}
    </Loading>
  );
}
