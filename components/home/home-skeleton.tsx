import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton, SkeletonText } from "#components/ui/skeleton.tsx";

/** The shape of the home page. */
export function HomeSkeleton() {
  return (
    <Loading
      label="Loading"
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_24rem]"
    >
      <CardShape rows={8} />
      <div className="flex flex-col gap-5">
        <CardShape rows={3} />
        <CardShape rows={5} />
      </div>
    </Loading>
  );
}

function CardShape({ rows }: { rows: number }) {
  return (
    <Card>
      <div className="flex h-12 items-center border-b px-4">
        <Skeleton className="w-32" />
      </div>
      <div className="divide-y">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <SkeletonText key={row} lines={2} className="px-4 py-3" />
        ))}
      </div>
    </Card>
  );
}
