import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Meter } from "#components/ui/progress.tsx";
import type { ClaimView } from "./calls.ts";

const freshness: Readonly<
  Record<ClaimView["freshness"], { label: string; tone: NonNullable<BadgeProps["tone"]>; age: string }>
> = {
  fresh: { label: "Fresh", tone: "success", age: "under 30 days old" },
  aging: { label: "Aging", tone: "neutral", age: "30 to 90 days old" },
  suspect: { label: "Suspect", tone: "warning", age: "90 to 180 days old" },
  expired: { label: "Expired", tone: "danger", age: "over 180 days old" },
};

export function FreshnessBadge({ value }: { value: ClaimView["freshness"] }) {
  const { label, tone, age } = freshness[value];
  return (
    <Badge tone={tone} title={`The latest evidence is ${age}.`}>
      {label}
    </Badge>
  );
}

/** How sure, as a bar and a number; in a wide list its column says of what. */
export function ConfidenceBar({ value }: { value: number }) {
  const percent = Math.round(value * 100);
  return (
    <span className="flex items-center gap-2">
      <Meter
        value={value}
        label={`Confidence ${percent}%`}
        tone={value >= 0.7 ? "success" : value >= 0.4 ? "warning" : "danger"}
        className="w-14 shrink-0"
      />
      <span className="text-muted-foreground text-sm">
        {percent}%<span className="@min-[40rem]:hidden"> confident</span>
      </span>
    </span>
  );
}
