"use client";

import { Check, Minus } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";

export type CheckboxProps = Omit<ComponentProps<"input">, "type" | "checked" | "defaultChecked" | "onChange"> & {
  checked: boolean | "indeterminate";
  onCheckedChange?: (checked: boolean) => void;
  /** Clickable text to the right; without it give an aria-label. */
  label?: ReactNode;
  hint?: ReactNode;
};

/** The browser's own checkbox with our looks. `className` is for the box around it. */
export function Checkbox({ label, hint, className, checked, onCheckedChange, ...props }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const mixed = checked === "indeterminate";
  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  });
  return (
    <ChoiceLabel label={label} hint={hint}>
      {(described) => (
        <span className={cn("relative grid size-4 shrink-0 place-items-center", className)}>
          <input
            {...described}
            {...props}
            ref={input}
            type="checkbox"
            checked={checked === true}
            onChange={(event) => onCheckedChange?.(event.target.checked)}
            className="peer size-4 cursor-[inherit] appearance-none rounded-xs border border-input bg-card transition-colors before:absolute before:-inset-1.5 checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:opacity-50"
          />
          <Check
            aria-hidden="true"
            className="pointer-events-none absolute hidden size-3 stroke-3 text-primary-foreground peer-checked:block"
          />
          <Minus
            aria-hidden="true"
            className="pointer-events-none absolute hidden size-3 stroke-3 text-primary-foreground peer-indeterminate:block"
          />
        </span>
      )}
    </ChoiceLabel>
  );
}
