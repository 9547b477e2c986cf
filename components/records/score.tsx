import { cn } from "#components/ui/cn.ts";

/** An ICP score with its tier as colour; a dash when there is none. */
export function Score({ score, className }: { score: number | null; className?: string }) {
  if (score === null)
    return (
      <span className={cn("text-muted-foreground", className)}>
        <span aria-hidden="true">–</span>
        <span className="sr-only">No score</span>
      </span>
    );
  return <span className={cn("font-medium", toneOf(score), className)}>{score}</span>;
}

const toneOf = (score: number): string =>
  score >= 70 ? "text-success-text" : score >= 50 ? "text-foreground" : "text-muted-foreground";
