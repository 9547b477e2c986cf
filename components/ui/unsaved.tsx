"use client";

import { type ReactNode, useState } from "react";
import { AlertDialog } from "./alert-dialog.tsx";

/** The question before unsaved input of a form is lost. Put `question` inside the form's dialog. */
export function useUnsaved(
  dirty: boolean,
  noun: string,
  onClose: () => void,
): { leave: () => void; question: ReactNode } {
  const [asking, setAsking] = useState(false);
  return {
    leave: () => (dirty ? setAsking(true) : onClose()),
    question: (
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Discard this ${noun}?`}
        description="What you have written is not saved."
        confirmLabel={`Discard ${noun}`}
        cancelLabel="Keep writing"
        onConfirm={onClose}
      />
    ),
  };
}
