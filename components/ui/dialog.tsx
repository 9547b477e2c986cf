"use client";

import "./style-nonce.ts";
import * as Primitive from "radix-ui/dialog";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { ModalContent, type ModalContentProps } from "./modal.tsx";
import { boxClasses } from "./modal-looks.ts";
import { ModalRoot } from "./modal-root.tsx";

export const Dialog = ModalRoot;
export const DialogClose = Primitive.Close;

const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };
const looks = { header: "px-5 pt-4 pr-12", description: "mt-1", close: "top-3" };

export type DialogContentProps = ModalContentProps & { size?: keyof typeof widths };

export function DialogContent({ size = "sm", className, ...props }: DialogContentProps) {
  return <ModalContent {...props} looks={looks} className={cn(boxClasses, "flex flex-col", widths[size], className)} />;
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

type DialogSubmitProps = {
  label: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  /** More buttons, between the two. */
  children?: ReactNode;
};

/** The footer of a form: cancel or submit. */
export function DialogSubmit({ label, busy, disabled, children }: DialogSubmitProps) {
  return (
    <DialogFooter>
      <DialogClose asChild>
        <Button>Cancel</Button>
      </DialogClose>
      {children}
      <Button type="submit" variant="primary" loading={busy} disabled={disabled}>
        {label}
      </Button>
    </DialogFooter>
  );
}
