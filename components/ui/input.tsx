"use client";

import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { useFieldControl } from "./field-control.ts";

/** The common look of all input controls. */
export const controlClasses =
  "w-full min-w-0 rounded-md border border-input bg-card text-base text-foreground transition-colors focus-visible:border-ring focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground max-md:text-lg";

export type InputProps = ComponentProps<"input"> & {
  /** An icon or text inside the left edge. */
  leading?: ReactNode;
  /** A button or text inside the right edge. */
  trailing?: ReactNode;
};

export function Input({ className, leading, trailing, ...props }: InputProps) {
  const input = (
    <input
      {...props}
      {...useFieldControl(props)}
      className={cn(controlClasses, "h-8 px-2.5 read-only:bg-muted", leading && "pl-8", trailing && "pr-9", className)}
    />
  );
  if (!leading && !trailing) return input;
  return (
    <div className="relative flex w-full items-center">
      {leading ? (
        <span className="pointer-events-none absolute left-2.5 text-muted-foreground [&_svg]:size-4">{leading}</span>
      ) : null}
      {input}
      {trailing ? <span className="absolute right-1 flex items-center text-muted-foreground">{trailing}</span> : null}
    </div>
  );
}
