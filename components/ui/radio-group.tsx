"use client";

import * as Primitive from "radix-ui/radio-group";
import type { ComponentProps, ReactNode } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";
import { useFieldControl, useFieldLabelId } from "./field.tsx";

type RadioOption<Value extends string = string> = {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
};

export type RadioGroupProps<Value extends string = string> = Omit<
  ComponentProps<typeof Primitive.Root>,
  "value" | "defaultValue" | "onValueChange" | "children"
> & {
  options: readonly RadioOption<Value>[];
  value?: Value;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
};

/** Inside a Field it takes its name from the label; elsewhere give an aria-label. */
export function RadioGroup<Value extends string = string>({
  options,
  onValueChange,
  className,
  ...props
}: RadioGroupProps<Value>) {
  const labelId = useFieldLabelId();
  return (
    <Primitive.Root
      aria-labelledby={labelId}
      {...props}
      {...useFieldControl(props)}
      onValueChange={onValueChange as ((value: string) => void) | undefined}
      className={cn("flex flex-col gap-2 data-[orientation=horizontal]:flex-row", className)}
    >
      {options.map((option) => (
        <ChoiceLabel key={option.value} label={option.label} hint={option.hint}>
          {(described) => (
            <Primitive.Item
              {...described}
              value={option.value}
              disabled={option.disabled}
              className="relative grid size-4 shrink-0 place-items-center rounded-full border border-input bg-card transition-colors after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary"
            >
              <Primitive.Indicator className="size-1.5 rounded-full bg-primary-foreground" />
            </Primitive.Item>
          )}
        </ChoiceLabel>
      ))}
    </Primitive.Root>
  );
}
