import type { ReactNode } from "react";
import { LoadProblem, type LoadState } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";

type DeliverySheetFrameProps = {
  title: string;
  query: LoadState & { isPending: boolean };
  onClose: () => void;
  /** The actions on it. */
  footer: ReactNode;
  children: ReactNode;
};

/** The sheet of one delivery, in its states: loading, not loaded, full. */
export function DeliverySheetFrame({ title, query, onClose, footer, children }: DeliverySheetFrameProps) {
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title={title} className="w-[min(44rem,calc(100vw-1.5rem))]">
        <SheetBody className="flex flex-col gap-5">
          {query.isPending ? (
            <Loading label="Loading the delivery">
              <SkeletonText lines={10} />
            </Loading>
          ) : null}
          <LoadProblem title="The delivery could not be loaded" query={query} className="px-0" />
          {children}
        </SheetBody>
        {footer}
      </SheetContent>
    </Sheet>
  );
}

type AttemptsProps<Attempt> = {
  attempts: readonly Attempt[];
  /** What happened, in a sentence. */
  sentenceOf: (attempt: Attempt) => ReactNode;
  /** Below it. */
  detail?: (attempt: Attempt) => ReactNode;
};

/** Every attempt of a delivery with its result, the first one first. */
export function Attempts<Attempt extends { at: string; by: string }>({
  attempts,
  sentenceOf: said,
  detail,
}: AttemptsProps<Attempt>) {
  return (
    <section aria-labelledby="delivery-attempts" className="flex flex-col gap-2">
      <h3 id="delivery-attempts" className="font-medium">
        Attempts
      </h3>
      <ol className="divide-y rounded-md border text-sm">
        {attempts.map((attempt) => (
          <li key={`${attempt.at} ${attempt.by}`} className="flex flex-col gap-1.5 px-3 py-2">
            <div className="flex items-start justify-between gap-3">
              <span className="wrap-anywhere min-w-0">{said(attempt)}</span>
              <RelativeTime value={attempt.at} className="shrink-0 text-muted-foreground" />
            </div>
            {detail?.(attempt)}
          </li>
        ))}
        {attempts.length === 0 ? <li className="px-3 py-2 text-muted-foreground">None yet.</li> : null}
      </ol>
    </section>
  );
}
