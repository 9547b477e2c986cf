import { Loading, Skeleton, SkeletonText } from "#components/ui/skeleton.tsx";

/** The shape of a record's page. */
export function AccountSkeleton() {
  return (
    <Loading label="Loading the record" className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-3.5 w-32" />
        <div className="flex items-center gap-2.5">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-6 w-48" />
        </div>
        <Skeleton className="w-64" />
      </div>
      <Skeleton className="h-7 w-full max-w-2xl" />
      <div className="@container">
        <div className="grid gap-x-6 gap-y-4 @min-[52rem]:grid-cols-[minmax(0,1fr)_18rem]">
          <Skeleton className="h-72 w-full @min-[52rem]:col-start-2" />
          <div className="flex flex-col gap-5 @min-[52rem]:col-start-1 @min-[52rem]:row-start-1">
            <Skeleton className="h-9 w-80 max-w-full" />
            {["a", "b", "c", "d"].map((row) => (
              <SkeletonText key={row} lines={2} />
            ))}
          </div>
        </div>
      </div>
    </Loading>
  );
}
