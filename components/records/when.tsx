import { RelativeTime } from "#components/ui/relative-time.tsx";

/** A moment in a row; it stands above the row's link, so its exact time shows on hover. */
export function When({ value }: { value: string | null }) {
  if (value === null) return <span className="text-muted-foreground">Never</span>;
  return (
    <span className="relative z-1 text-muted-foreground">
      <RelativeTime value={value} />
    </span>
  );
}
