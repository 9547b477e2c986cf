import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

export function SettingsSkeleton() {
  return (
    <Loading label="Loading settings" className="flex flex-col gap-5">
      {[3, 2].map((rows) => (
        <Card key={rows} className="flex flex-col gap-4 px-4 py-3.5">
          <Skeleton className="h-5 w-32" />
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </Card>
      ))}
    </Loading>
  );
}
