"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";
import { useFieldControl, useFieldLabelId } from "./field-control.ts";

type RadioOption<Value extends string = string> = {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
};

export type RadioGroupProps<Value extends string = string> = Omit<ComponentProps<"div">, "children" | "role"> & {
  options: readonly RadioOption<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
};

/** The browser's own radio buttons with our looks. Inside a Field it takes its name from the label; elsewhere give an aria-label. */
export function RadioGroup<Value extends string = string>({
  options,
  value,
  onValueChange,
  className,
  ...props
}: RadioGroupProps<Value>) {
  const name = useId();
  const labelId = useFieldLabelId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      {...props}
      {...useFieldControl(props)}
      className={cn("flex flex-col gap-2", className)}
    >
      {options.map((option) => (
        <ChoiceLabel key={option.value} label={option.label} hint={option.hint}>
          {(described) => (
            <span className="relative grid size-4 shrink-0 place-items-center">
              <input
                {...described}
                type="radio"
                name={name}
                value={option.value}
                checked={option.value === value}
                disabled={option.disabled}
                onChange={() => onValueChange(option.value)}
                className="peer size-4 appearance-none rounded-full border border-input bg-card transition-colors before:absolute before:-inset-1.5 checked:border-primary checked:bg-primary disabled:opacity-50"
              />
              <span className="pointer-events-none absolute hidden size-1.5 rounded-full bg-primary-foreground peer-checked:block" />
            </span>
          )}
        </ChoiceLabel>
      ))}
    </div>
  );
}
