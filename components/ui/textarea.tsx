"use client";

import type { ComponentProps } from "react";
import { cn } from "./cn.ts";
import { useFieldControl } from "./field-control.ts";
import { controlClasses } from "./input.tsx";

export type TextareaProps = ComponentProps<"textarea"> & {
  /** Grows with its text up to this many lines, then scrolls. */
  maxRows?: number;
};

/** Grows with its text. Where `field-sizing` is unknown it keeps `rows` and a resize handle. */
export function Textarea({ className, rows = 3, maxRows = 20, style, ...props }: TextareaProps) {
  return (
    <textarea
      rows={rows}
      {...props}
      {...useFieldControl(props)}
      className={cn(
        controlClasses,
        "field-sizing-content resize-y read-only:bg-muted px-2.5 py-1.5 leading-5 max-md:leading-6",
        className,
      )}
      style={{ minHeight: `calc(${rows}lh + 0.875rem)`, maxHeight: `calc(${maxRows}lh + 0.875rem)`, ...style }}
    />
  );
}
