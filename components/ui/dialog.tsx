"use client";

import "./style-nonce.ts";
import { X } from "lucide-react";
import * as Primitive from "radix-ui/dialog";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { FocusOrigin, useReturnFocus } from "./return-focus.ts";

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

export const overlayClasses =
  "fixed inset-0 z-40 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in";

const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };

export type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, "title"> & {
  title: ReactNode;
  /** Leave out and the dialog is announced by its title alone. */
  description?: ReactNode;
  size?: keyof typeof widths;
  /** Keeps title and description for screen readers only. */
  hideHeader?: boolean;
};

export function DialogContent({
  title,
  description,
  size = "sm",
  hideHeader,
  className,
  children,
  ...props
}: DialogContentProps) {
  const { from, handlers } = useReturnFocus(props);
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content
        {...(description ? {} : { "aria-describedby": undefined })}
        {...props}
        {...handlers}
        className={cn(
          "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 flex-col overflow-y-auto rounded-lg border bg-popover shadow-lg outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in",
          widths[size],
          className,
        )}
      >
        <FocusOrigin from={from} />
        <div className={cn("px-5 pt-4 pr-12", hideHeader && "sr-only")}>
          <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
          {description ? (
            <Primitive.Description className="mt-1 text-muted-foreground">{description}</Primitive.Description>
          ) : null}
        </div>
        {children}
        {hideHeader ? null : (
          <Primitive.Close
            aria-label="Close"
            className="absolute top-3 right-3 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-hover hover:text-foreground"
          >
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function DialogBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-col gap-4 px-5 py-4", className)} {...props} />;
}

export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn(
        "sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t bg-popover px-5 py-3",
        className,
      )}
      {...props}
    />
  );
}
