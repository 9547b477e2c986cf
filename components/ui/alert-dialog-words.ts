import type { ReactNode } from "react";

export type AlertDialogWords = {
  title: ReactNode;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "danger" | "primary";
  /** The confirm button works only once exactly this is typed. */
  typed?: string;
  children?: ReactNode;
  /** The dialog waits for it, closes when it resolves, and shows the error message when it throws. */
  onConfirm: () => void | Promise<void>;
};
