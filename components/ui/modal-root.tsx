"use client";

import * as Primitive from "radix-ui/dialog";
import { type ComponentProps, createContext, type ReactNode, useContext, useState } from "react";
import { AlertDialog } from "./alert-dialog.tsx";
import { type TypedText, useTypedText } from "./typed-text.ts";

type Modal = { typed: TypedText; question: ReactNode };
const ModalContext = createContext<Modal | null>(null);

/** What the root of a dialog or sheet gives its content. */
export function useModal(): Modal {
  const modal = useContext(ModalContext);
  if (!modal) throw new Error("The content of a dialog belongs inside of it.");
  return modal;
}

type ModalRootProps = Pick<ComponentProps<typeof Primitive.Root>, "onOpenChange" | "children"> & { open: boolean };

/**
 * A layer over the page. When the reader would close it, by a key, a press outside or a button, while a form in it holds
 * text that they typed, it asks first. Code that closes it after a save is not asked.
 */
export function ModalRoot({ open, onOpenChange, children }: ModalRootProps) {
  const typed = useTypedText(open);
  const [asking, setAsking] = useState(false);
  const question = (
    <AlertDialog
      open={asking}
      onOpenChange={setAsking}
      title="Discard what you wrote?"
      description="It is not saved."
      confirmLabel="Discard"
      cancelLabel="Keep writing"
      onConfirm={() => {
        typed.forget();
        onOpenChange?.(false);
      }}
    />
  );
  return (
    <ModalContext value={{ typed, question }}>
      <Primitive.Root
        open={open}
        onOpenChange={(next) => (!next && typed.wouldBeLost() ? setAsking(true) : onOpenChange?.(next))}
      >
        {children}
      </Primitive.Root>
    </ModalContext>
  );
}
