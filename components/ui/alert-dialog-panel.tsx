"use client";

import { failureOf } from "./failure.ts";
import "./style-nonce.ts";
import * as Primitive from "radix-ui/alert-dialog";
import { type FormEvent, useState } from "react";
import type { AlertDialogWords } from "./alert-dialog-words.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { boxClasses, overlayClasses } from "./modal-looks.ts";
import { FocusOrigin, useReturnFocus } from "./return-focus.ts";

/* An open AlertDialog; pages import alert-dialog.tsx. */

type AlertDialogPanelProps = AlertDialogWords & { open: boolean; onOpenChange: (open: boolean) => void };

export function AlertDialogPanel({ open, onOpenChange, ...panel }: AlertDialogPanelProps) {
  const { from, handlers } = useReturnFocus({});
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClasses} />
        <Primitive.Content {...handlers} className={`${boxClasses} sm:max-w-md`}>
          <FocusOrigin from={from} />
          <Panel {...panel} close={() => onOpenChange(false)} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type PanelProps = AlertDialogWords & { close: () => void };

function Panel({ title, description, confirmLabel, cancelLabel, tone, typed, children, onConfirm, close }: PanelProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const ready = typed === undefined || text.trim() === typed;

  async function confirm(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (!ready || busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  }

  return (
    <form onSubmit={confirm}>
      <div className="flex flex-col gap-4 px-5 py-4">
        <div>
          <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
          <Primitive.Description className="mt-1 text-muted-foreground">{description}</Primitive.Description>
        </div>
        {children}
        {typed === undefined ? null : (
          <Field
            label={
              <>
                Type <code className="font-mono text-sm">{typed}</code> to confirm
              </>
            }
          >
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
        )}
        <p role="alert" className="text-danger-text text-sm empty:hidden">
          {failure}
        </p>
      </div>
      <div className="flex justify-end gap-2 border-t px-5 py-3">
        <Primitive.Cancel asChild>
          <Button>{cancelLabel ?? "Cancel"}</Button>
        </Primitive.Cancel>
        <Button type="submit" variant={tone ?? "danger"} loading={busy} disabled={!ready}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
