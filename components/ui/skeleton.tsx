import type { ReactNode } from "react";
import { cn } from "./cn.ts";

/** A still block in the shape of what is coming. Wrap a group of them in `Loading`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn("block h-4 rounded-xs bg-selected/70", className)} />;
}

export type LoadingProps = { label?: string; className?: string; children: ReactNode };

/** Tells assistive technology that the skeletons inside are placeholders for something that loads. */
export function Loading({ label = "Loading", className, children }: LoadingProps) {
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** Lines of text of uneven length. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  const widths = ["w-11/12", "w-full", "w-4/5", "w-2/3"];
  return (
    <div className={cn("flex flex-col gap-2", className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <Skeleton key={line} className={cn("h-3.5", widths[line % widths.length])} />
      ))}
    </div>
  );
}
