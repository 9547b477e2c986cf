"use client";

import "./style-nonce.ts";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";
import { ModalContent, type ModalContentProps } from "./modal.tsx";
import { ModalRoot } from "./modal-root.tsx";

export const Sheet = ModalRoot;

const sides = {
  left: "left-0 border-r data-[state=closed]:animate-to-left data-[state=open]:animate-from-left",
  right: "right-0 border-l data-[state=closed]:animate-to-right data-[state=open]:animate-from-right",
};
const looks = { header: "border-b px-5 py-3 pr-12", description: "text-sm", close: "top-2.5" };

export type SheetContentProps = ModalContentProps & { side?: keyof typeof sides };

/** A panel from the side. Its body scrolls: put content in SheetBody, actions in SheetFooter. */
export function SheetContent({ side = "right", className, ...props }: SheetContentProps) {
  return (
    <ModalContent
      {...props}
      looks={looks}
      className={cn(
        "fixed inset-y-0 z-50 flex w-[min(32rem,calc(100vw-2.5rem))] flex-col bg-popover shadow-lg outline-none",
        sides[side],
        className,
      )}
    />
  );
}

/** `reads`: there is nothing in it to press, so that it takes the focus itself and arrow keys scroll it. */
export function SheetBody({ className, reads = false, ...props }: ComponentProps<"div"> & { reads?: boolean }) {
  return (
    <div
      tabIndex={reads ? 0 : undefined}
      className={cn("min-h-0 flex-1 overflow-y-auto px-5 py-4 focus-visible:-outline-offset-2", className)}
      {...props}
    />
  );
}

export function SheetFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap justify-end gap-2 border-t px-5 py-3", className)} {...props} />;
}
