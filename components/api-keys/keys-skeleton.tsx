import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

const rows = ["a", "b", "c"];

/** The shape of the table and of the cards. */
export function KeysSkeleton() {
  return (
    <Loading label="Loading API keys" className="@container">
      <div className="rounded-lg border bg-card @max-[52rem]:hidden">
        <div className="flex h-9 items-center border-b px-4">
          <Skeleton className="h-3 w-16" />
        </div>
        {rows.map((row) => (
          <div key={row} className="flex h-10 items-center gap-6 border-b px-4 last:border-b-0">
            <Skeleton className="w-40" />
            <Skeleton className="w-36" />
            <Skeleton className="w-28" />
            <Skeleton className="w-24" />
            <Skeleton className="w-20" />
          </div>
        ))}
      </div>
      <div className="divide-y rounded-lg border bg-card @min-[52rem]:hidden">
        {rows.map((row) => (
          <div key={row} className="flex flex-col gap-2.5 px-4 py-3">
            <Skeleton className="w-40" />
            <Skeleton className="h-3.5 w-32" />
            <div className="grid grid-cols-2 gap-3 pt-1">
              <Skeleton className="h-8 w-24" />
              <Skeleton className="h-8 w-24" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
