import { cn } from "./cn.ts";

export function Separator({ vertical, className }: { vertical?: boolean; className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cn("shrink-0 bg-border", vertical ? "h-full w-px self-stretch" : "h-px w-full", className)}
    />
  );
}
