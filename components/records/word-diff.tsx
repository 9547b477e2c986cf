import { cn } from "#components/ui/cn.ts";
import { diffWords, type Part } from "./diff-words.ts";

type WordDiffProps = {
  before: string;
  after: string;
  /** Shows only one side; both when left out. */
  side?: "before" | "after";
  className?: string;
};

/** The words that differ between two texts; struck through and underlined, so that colour is not needed. */
export function WordDiff({ before, after, side, className }: WordDiffProps) {
  const other = side === "before" ? "added" : side === "after" ? "removed" : null;
  const parts = diffWords(before, after).filter((part) => part.kind !== other);
  return (
    <p className={cn("wrap-anywhere whitespace-pre-wrap", className)}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are a sequence and have no other name
        <Words key={place} part={part} />
      ))}
    </p>
  );
}

function Words({ part: { kind, text } }: { part: Part }) {
  if (kind === "added") {
    return <ins className="rounded-xs bg-success-soft text-success-text decoration-1 underline-offset-2">{text}</ins>;
  }
  if (kind === "removed") return <del className="rounded-xs bg-danger-soft text-danger-text decoration-1">{text}</del>;
  return text;
}
