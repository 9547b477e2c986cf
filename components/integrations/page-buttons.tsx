import { Button } from "#components/ui/button.tsx";

type PageButtonsProps = { onPrevious: (() => void) | null; onNext: (() => void) | null };

/** To the pages before and after one in a sheet; null: there is none. */
export function PageButtons({ onPrevious, onNext }: PageButtonsProps) {
  return (
    <div className="flex justify-between gap-2 border-t px-5 py-3">
      <Button size="sm" disabled={!onPrevious} onClick={onPrevious ?? undefined}>
        Previous
      </Button>
      <Button size="sm" disabled={!onNext} onClick={onNext ?? undefined}>
        Next
      </Button>
    </div>
  );
}
