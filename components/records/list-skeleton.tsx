import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

const rows = Array.from({ length: 14 }, (_, row) => row);
const widths = ["w-44", "w-36", "w-52", "w-40"];

/** The shape of a list: its toolbar, and a table or, where that has no room, cards. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label} className="flex flex-col gap-3">
      <div className="flex gap-2">
        <Skeleton className="h-8 w-72 max-w-full" />
        <Skeleton className="h-8 w-20" />
      </div>
      <div className="rounded-lg border bg-card max-list:hidden">
        <div className="flex h-9 items-center border-b px-4">
          <Skeleton className="h-3 w-24" />
        </div>
        {rows.map((row) => (
          <div key={row} className="flex h-10 items-center gap-8 border-b px-4 last:border-b-0">
            <Skeleton className="size-4" />
            <Skeleton className={widths[row % 4] ?? ""} />
            <Skeleton className="w-40" />
            <Skeleton className="w-28" />
            <Skeleton className="h-5 w-20" />
            <Skeleton className="w-10" />
            <Skeleton className="w-16" />
          </div>
        ))}
      </div>
      <div className="rounded-lg border bg-card list:hidden">
        {rows.slice(0, 8).map((row) => (
          <div key={row} className="flex h-21 flex-col gap-2.5 border-b px-3 py-3 last:border-b-0">
            <Skeleton className={widths[row % 4] ?? ""} />
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3.5 w-32" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
