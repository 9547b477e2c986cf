import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** The shape of a timeline. */
export function TimelineSkeleton() {
  return (
    <Loading label="Loading the timeline" className="flex flex-col gap-4">
      {["a", "b", "c"].map((row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-6 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="w-48" />
            <Skeleton className="h-3.5 w-3/4" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
