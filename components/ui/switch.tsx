"use client";

import type { ComponentProps, ReactNode } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";

export type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "checked" | "defaultChecked" | "onChange"> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  /** Clickable text to the right; without it pass an aria-label. */
  label?: ReactNode;
  hint?: ReactNode;
};

/** Takes effect at once; inside a form that is saved later use a Checkbox. */
export function Switch({ label, hint, className, checked, onCheckedChange, ...props }: SwitchProps) {
  return (
    <ChoiceLabel label={label} hint={hint}>
      {(described) => (
        <span className={cn("relative h-4 w-7 shrink-0", className)}>
          <input
            {...described}
            {...props}
            type="checkbox"
            // biome-ignore lint/a11y/useAriaPropsForRole: the browser says itself whether it is checked
            role="switch"
            checked={checked}
            onChange={(event) => onCheckedChange(event.target.checked)}
            className="peer block h-4 w-7 appearance-none rounded-full bg-input transition-colors before:absolute before:-inset-1.5 checked:bg-primary disabled:opacity-50"
          />
          <span className="pointer-events-none absolute top-0.5 left-0.5 size-3 rounded-full bg-white transition-transform peer-checked:translate-x-3" />
        </span>
      )}
    </ChoiceLabel>
  );
}
