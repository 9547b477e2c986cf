"use client";

import * as Primitive from "radix-ui/tooltip";
import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Primitive.Provider>
  );
}

export type TooltipProps = {
  content: ReactNode;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  /** One element that takes a ref and can be focused. */
  children: ReactNode;
};

export function Tooltip({ content, shortcut, side = "top", align = "center", children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 items-center gap-2 rounded-md border bg-popover px-2 py-1 text-sm text-foreground shadow-sm data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in"
        >
          {content}
          {shortcut ? <Kbd keys={shortcut} /> : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
