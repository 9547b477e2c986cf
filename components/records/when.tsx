import { RelativeTime } from "#components/records/relative-time.tsx";

/** A time in a row; it lies above the row's link, so that its exact time shows on hover. */
export function When({ value }: { value: string | null }) {
  if (value === null) return <span className="text-muted-foreground">Never</span>;
  return (
    <span className="relative z-1 text-muted-foreground">
      <RelativeTime value={value} />
    </span>
  );
}
