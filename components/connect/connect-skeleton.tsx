import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

const steps = [
  { title: "w-36", body: "h-9 w-72" },
  { title: "w-52", body: "h-96 w-full" },
  { title: "w-32", body: "h-8 w-44" },
];

/** The shape of the three steps. */
export function ConnectSkeleton() {
  return (
    <Loading label="Loading the steps" className="flex flex-col gap-7">
      {steps.map(({ title, body }) => (
        <div key={title} className="flex gap-3 md:gap-4">
          <Skeleton className="size-6 rounded-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            <Skeleton className={`mt-1 ${title}`} />
            <Skeleton className={body} />
          </div>
        </div>
      ))}
    </Loading>
  );
}
