"use client";

import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cn } from "./cn.ts";
import { FieldContext, type FieldControl } from "./field-control.ts";
import { Label } from "./label.tsx";

export type FieldProps = {
  label: ReactNode;
  /** Says what to write, before any error. */
  hint?: ReactNode;
  /** Shown under the control and read out when it appears. */
  error?: ReactNode;
  required?: boolean;
  /** Adds "optional" to the label. */
  optional?: boolean;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  /** To the right of the label: a counter, a link. */
  aside?: ReactNode;
  className?: string;
  /** One Input, Textarea, Select or RadioGroup: each takes its id, description and validity from here. */
  children: ReactNode;
};

export function Field({ label, hint, error, required, optional, hideLabel, aside, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const control: FieldControl = {
    id,
    labelId: `${id}-label`,
    describedBy: [error && errorId, hint && hintId].filter(Boolean).join(" ") || undefined,
    invalid: Boolean(error),
    required: Boolean(required),
  };
  return (
    <FieldContext value={control}>
      <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
        <div className={cn("flex items-baseline justify-between gap-2", hideLabel && "sr-only")}>
          <Label id={control.labelId} htmlFor={id}>
            {label}
            {optional ? <span className="font-normal text-muted-foreground"> (optional)</span> : null}
          </Label>
          {aside ? <span className="text-muted-foreground text-sm">{aside}</span> : null}
        </div>
        {children}
        <div aria-live="polite" className="empty:hidden">
          {error ? (
            <p id={errorId} className="flex items-start gap-1.5 text-danger-text text-sm">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>{error}</span>
            </p>
          ) : null}
        </div>
        {hint ? (
          <p id={hintId} className="text-muted-foreground text-sm">
            {hint}
          </p>
        ) : null}
      </div>
    </FieldContext>
  );
}
