"use client";

import { type ReactNode, startTransition, useId, useOptimistic } from "react";
import { cn } from "./cn.ts";

type Segment<Value extends string> = { value: Value; label: ReactNode };

export type SegmentsProps<Value extends string> = {
  /** The accessible name. */
  label: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onValue: (value: Value) => void;
  disabled?: boolean;
  className?: string;
};

/** One of a few choices, all in sight: native radio buttons side by side. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, segments, value, onValue, disabled, className } = props;
  const name = useId();
  // A list behind it may take a moment to be drawn; the choice shows at once.
  const [chosen, setChosen] = useOptimistic(value);
  const choose = (wanted: Value) =>
    startTransition(() => {
      setChosen(wanted);
      onValue(wanted);
    });
  return (
    <fieldset disabled={disabled} className={cn("min-w-0", className)}>
      <legend className="sr-only">{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-md bg-muted p-0.5">
        {segments.map((segment) => (
          <label
            key={segment.value}
            className="relative inline-flex h-7 cursor-default select-none items-center gap-1.5 rounded-xs px-2.5 font-medium max-sm:px-2 text-muted-foreground transition-colors hover:text-foreground has-checked:bg-card has-checked:text-foreground has-disabled:opacity-60 has-checked:ring-1 has-checked:ring-border-strong has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              value={segment.value}
              checked={segment.value === chosen}
              onChange={() => choose(segment.value)}
              className="absolute inset-0 size-full cursor-default appearance-none opacity-0"
            />
            {segment.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
