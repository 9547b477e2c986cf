import { Loading, Skeleton, SkeletonText } from "#components/ui/skeleton.tsx";

/** The shape of a list of notes. */
export function NotesSkeleton() {
  return (
    <Loading label="Loading notes" className="divide-y rounded-lg border bg-card">
      {["a", "b", "c", "d"].map((row) => (
        <div key={row} className="flex flex-col gap-2 px-4 py-3">
          <Skeleton className="w-56" />
          <SkeletonText lines={2} />
        </div>
      ))}
    </Loading>
  );
}
