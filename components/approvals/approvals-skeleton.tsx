import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

export function ApprovalsSkeleton() {
  return (
    <Loading label="Loading approvals">
      <Card className="divide-y">
        {[1, 2, 3].map((row) => (
          <div key={row} className="flex flex-col gap-2 px-4 py-3">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3 w-2/5" />
          </div>
        ))}
      </Card>
    </Loading>
  );
}
