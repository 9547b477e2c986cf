"use client";

import * as Primitive from "radix-ui/switch";
import type { ComponentProps, ReactNode } from "react";
import { ChoiceLabel } from "./choice-label.tsx";
import { cn } from "./cn.ts";

export type SwitchProps = Omit<ComponentProps<typeof Primitive.Root>, "children"> & {
  /** Clickable text to the right; without it pass an aria-label. */
  label?: ReactNode;
  hint?: ReactNode;
};

/** Takes effect at once; inside a form that is saved later use a Checkbox. */
export function Switch({ label, hint, className, ...props }: SwitchProps) {
  return (
    <ChoiceLabel label={label} hint={hint}>
      {(described) => (
        <Primitive.Root
          {...described}
          {...props}
          className={cn(
            "relative h-4 w-7 shrink-0 rounded-full bg-input transition-colors after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:bg-primary",
            className,
          )}
        >
          <Primitive.Thumb className="block size-3 translate-x-0.5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-3.5" />
        </Primitive.Root>
      )}
    </ChoiceLabel>
  );
}
