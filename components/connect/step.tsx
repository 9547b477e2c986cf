import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

export type StepProps = { number: number; title: string; done: boolean; last?: boolean; children: ReactNode };

/** One step of a short way, its number turning into a check mark. */
export function Step({ number, title, done, last = false, children }: StepProps) {
  return (
    <li className="relative flex gap-3 md:gap-4">
      {last ? null : <span aria-hidden="true" className="absolute top-7 bottom-0 left-3 w-px bg-border" />}
      <span
        aria-hidden="true"
        className={cn(
          "grid size-6 shrink-0 place-items-center rounded-full font-medium text-sm",
          done ? "bg-success-soft text-success-text" : "bg-muted text-muted-foreground",
        )}
      >
        {done ? <Check className="size-3.5" /> : number}
      </span>
      <div className={cn("min-w-0 flex-1", !last && "pb-7")}>
        <h2 className="mb-3 flex min-h-6 items-center font-semibold text-base">
          {title}
          {done ? <span className="sr-only">, done</span> : null}
        </h2>
        <div className="flex flex-col gap-3">{children}</div>
      </div>
    </li>
  );
}
