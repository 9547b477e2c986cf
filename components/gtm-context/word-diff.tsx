import { type Change, diffWordsWithSpace } from "diff";
import { cn } from "#components/ui/cn.ts";

type WordDiffProps = {
  before: string;
  after: string;
  /** Only what one side has of both; both when left out. */
  side?: "before" | "after";
  className?: string;
};

/** The words that differ between two texts; struck through and underlined, so that colour is not needed. */
export function WordDiff({ before, after, side, className }: WordDiffProps) {
  const parts = diffWordsWithSpace(before, after).filter(
    (part) => !(side === "before" ? part.added : side === "after" && part.removed),
  );
  return (
    <p className={cn("wrap-anywhere whitespace-pre-wrap", className)}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are a sequence and have no other name
        <Part key={place} part={part} />
      ))}
    </p>
  );
}

function Part({ part }: { part: Change }) {
  if (part.added) {
    return (
      <ins className="rounded-xs bg-success-soft text-success-text decoration-1 underline-offset-2">{part.value}</ins>
    );
  }
  if (part.removed) return <del className="rounded-xs bg-danger-soft text-danger-text decoration-1">{part.value}</del>;
  return part.value;
}
