import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** The shape of the cards by category. */
export function IntegrationsSkeleton() {
  return (
    <Loading label="Loading integrations">
      <div className="flex flex-col gap-6">
        {["booking", "recording", "crm"].map((category) => (
          <div key={category} className="flex flex-col gap-2">
            <Skeleton className="h-4 w-24" />
            <div className="flex items-center gap-4 rounded-lg border bg-card px-4 py-3">
              <Skeleton className="size-9" />
              <div className="flex flex-1 flex-col gap-2">
                <Skeleton className="w-32" />
                <Skeleton className="h-3.5 w-full max-w-md" />
              </div>
              <Skeleton className="h-8 w-20" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
