"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogBody, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";

type OneTimeSecretProps = {
  title: string;
  /** What is shown: "key", "signing secret". */
  noun: string;
  onDone: () => void;
  children: ReactNode;
};

/**
 * The one time a secret is shown; goes into a Dialog. It closes by its own button only, and Escape asks, because the
 * secret cannot be shown again. Focus goes to the dialog itself: the first button would open its tooltip over the
 * warning.
 */
export function OneTimeSecret({ title, noun, onDone, children }: OneTimeSecretProps) {
  const [asks, setAsks] = useState(false);
  return (
    <DialogContent
      title={title}
      size="md"
      closable={false}
      onInteractOutside={(event) => event.preventDefault()}
      onEscapeKeyDown={(event) => {
        event.preventDefault();
        setAsks(true);
      }}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      }}
    >
      <DialogBody>{children}</DialogBody>
      <DialogFooter>
        <p role="alert" className="mr-auto text-sm text-warning-text empty:hidden">
          {asks ? `Have you copied the ${noun}? It cannot be shown again.` : null}
        </p>
        <Button variant="primary" onClick={onDone}>
          Copied, done
        </Button>
      </DialogFooter>
    </DialogContent>
  );
}
