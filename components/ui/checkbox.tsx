"use client";

import { Check, Minus } from "lucide-react";
import * as Primitive from "radix-ui/checkbox";
import type { ComponentProps, ReactNode } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";

export type CheckboxProps = Omit<ComponentProps<typeof Primitive.Root>, "children"> & {
  /** Clickable text to the right; without it give an aria-label. */
  label?: ReactNode;
  hint?: ReactNode;
};

export function Checkbox({ label, hint, className, ...props }: CheckboxProps) {
  return (
    <ChoiceLabel label={label} hint={hint}>
      {(described) => (
        <Primitive.Root
          {...described}
          {...props}
          className={cn(
            "peer relative grid size-4 shrink-0 place-items-center rounded-xs border border-input bg-card transition-colors after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=indeterminate]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:bg-primary data-[state=checked]:text-primary-foreground data-[state=indeterminate]:text-primary-foreground",
            className,
          )}
        >
          <Primitive.Indicator className="group">
            <Check aria-hidden="true" className="size-3 stroke-3 group-data-[state=indeterminate]:hidden" />
            <Minus aria-hidden="true" className="hidden size-3 stroke-3 group-data-[state=indeterminate]:block" />
          </Primitive.Indicator>
        </Primitive.Root>
      )}
    </ChoiceLabel>
  );
}
