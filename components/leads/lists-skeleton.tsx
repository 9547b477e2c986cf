import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** The shape of the lead lists. */
export function ListsSkeleton() {
  return (
    <Loading label="Loading lead lists" className="divide-y rounded-lg border bg-card">
      {["a", "b", "c", "d"].map((row) => (
        <div key={row} className="flex h-15 items-center gap-4 px-4">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="w-56" />
            <Skeleton className="h-3 w-36" />
          </div>
          <Skeleton className="h-1.5 w-2/5 max-w-80 max-sm:hidden" />
        </div>
      ))}
    </Loading>
  );
}
