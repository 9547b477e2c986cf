"use client";

import "./style-nonce.ts";
import * as Primitive from "radix-ui/popover";
import { type ComponentProps, type RefObject, useRef } from "react";
import { cn } from "./cn.ts";

/* The content of an open Popover. Loaded when the first one is about to be opened; pages import popover.tsx only. */

export type PopoverPanelProps = ComponentProps<typeof Primitive.Content> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
};

export function PopoverPanel({ open, onOpenChange, anchor, className, ...props }: PopoverPanelProps) {
  const leftForElsewhere = useRef(false);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Primitive.Portal>
        <Primitive.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          {...props}
          onInteractOutside={(event) => {
            props.onInteractOutside?.(event);
            // A press on the trigger closes it by itself.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
            if (!event.defaultPrevented) leftForElsewhere.current = true;
          }}
          onCloseAutoFocus={(event) => {
            props.onCloseAutoFocus?.(event);
            if (!event.defaultPrevented && !leftForElsewhere.current) anchor.current?.focus();
            leftForElsewhere.current = false;
            event.preventDefault();
          }}
          className={cn(
            "z-50 w-72 max-w-[calc(100vw-1rem)] rounded-md border bg-popover p-3 shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in",
            className,
          )}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}
