"use client";

import "./style-nonce.ts";
import { X } from "lucide-react";
import * as Primitive from "radix-ui/dialog";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { overlayClasses } from "./dialog.tsx";
import { FocusOrigin, useReturnFocus } from "./return-focus.ts";

export const Sheet = Primitive.Root;
export const SheetTrigger = Primitive.Trigger;
export const SheetClose = Primitive.Close;

const sides = {
  left: "left-0 border-r data-[state=closed]:animate-to-left data-[state=open]:animate-from-left",
  right: "right-0 border-l data-[state=closed]:animate-to-right data-[state=open]:animate-from-right",
};

export type SheetContentProps = Omit<ComponentProps<typeof Primitive.Content>, "title"> & {
  title: ReactNode;
  description?: ReactNode;
  side?: keyof typeof sides;
  /** Keeps title and description for screen readers only. */
  hideHeader?: boolean;
};

/** A panel from the side. Its body scrolls: put content in SheetBody, actions in SheetFooter. */
export function SheetContent({
  title,
  description,
  side = "right",
  hideHeader,
  className,
  children,
  ...props
}: SheetContentProps) {
  const { from, handlers } = useReturnFocus(props);
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content
        {...(description ? {} : { "aria-describedby": undefined })}
        {...props}
        {...handlers}
        className={cn(
          "fixed inset-y-0 z-50 flex w-[min(32rem,calc(100vw-2.5rem))] flex-col bg-popover shadow-lg outline-none",
          sides[side],
          className,
        )}
      >
        <FocusOrigin from={from} />
        <div className={cn("border-b px-5 py-3 pr-12", hideHeader && "sr-only")}>
          <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
          {description ? (
            <Primitive.Description className="text-muted-foreground text-sm">{description}</Primitive.Description>
          ) : null}
        </div>
        {children}
        {hideHeader ? null : (
          <Primitive.Close
            aria-label="Close"
            className="absolute top-2.5 right-3 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-hover hover:text-foreground"
          >
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SheetBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("min-h-0 flex-1 overflow-y-auto px-5 py-4", className)} {...props} />;
}

export function SheetFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap justify-end gap-2 border-t px-5 py-3", className)} {...props} />;
}
