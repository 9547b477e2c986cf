import { Card } from "#components/ui/card.tsx";
import { Loading, Skeleton, SkeletonText } from "#components/ui/skeleton.tsx";
import { sectionNames } from "./sections.ts";

/** The tab in the shape it will have. */
export function ProfileSkeleton() {
  return (
    <Loading label="Loading GTM Context" className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <Card className="lg:order-last lg:bg-transparent">
        <div className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="size-12 rounded-full" />
          <SkeletonText lines={2} className="flex-1" />
        </div>
        <div className="flex flex-col gap-3 border-t px-4 py-3 max-lg:hidden">
          {sectionNames.map((name) => (
            <Skeleton key={name} className="w-2/3" />
          ))}
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-3">
        {sectionNames.map((name) => (
          <Card key={name}>
            <div className="flex h-11 items-center px-4">
              <Skeleton className="w-24" />
            </div>
            <div className="border-t px-4 py-3">
              <SkeletonText lines={3} className="max-w-prose" />
            </div>
          </Card>
        ))}
      </div>
    </Loading>
  );
}
