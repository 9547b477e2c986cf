"use client";

import { type ReactNode, useState } from "react";
import type { AlertDialogWords } from "./alert-dialog-words.ts";
import { onDemand } from "./on-demand.tsx";
import { Slot } from "./slot.ts";

const AlertDialogPanel = onDemand("The question before it", () =>
  import("./alert-dialog-panel.tsx").then((module) => module.AlertDialogPanel),
);

export type AlertDialogProps = AlertDialogWords & {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The button that opens it, when it opens itself. */
  trigger?: ReactNode;
};

/** Asks before something that cannot easily be undone. Its code loads when the page is idle, or when it opens. */
export function AlertDialog({ open: given, onOpenChange, trigger, ...words }: AlertDialogProps) {
  const [own, setOwn] = useState(false);
  const open = given ?? own;
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);

  function setOpen(next: boolean) {
    setOwn(next);
    onOpenChange?.(next);
  }

  return (
    <>
      {trigger ? (
        <Slot aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
          {trigger}
        </Slot>
      ) : null}
      {wasOpen ? <AlertDialogPanel {...words} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
