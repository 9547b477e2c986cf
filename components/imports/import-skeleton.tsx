import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

/** One import: its name, its file, its columns. */
export function ImportSkeleton() {
  return (
    <Loading label="Loading the import" className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-3.5 w-40" />
        <Skeleton className="h-7 w-64" />
      </div>
      <Card className="flex flex-wrap gap-6 px-4 py-3.5">
        {[1, 2, 3, 4].map((fact) => (
          <Skeleton key={fact} className="h-9 w-32" />
        ))}
      </Card>
      <Card className="divide-y">
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <div key={row} className="grid gap-3 px-4 py-3 md:grid-cols-3">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full max-md:hidden" />
          </div>
        ))}
      </Card>
    </Loading>
  );
}
