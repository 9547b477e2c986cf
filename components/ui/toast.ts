import type { ReactNode } from "react";

type ToastKind = "message" | "success" | "warning" | "error";

export type ToastOptions = {
  description?: ReactNode;
  /** Milliseconds; errors stay longer than the rest. */
  duration?: number;
  action?: Action;
  /** A toast with the id of a visible one replaces it. */
  id?: string;
};

type Action = { label: string; onClick: () => void };

/** The result of an action, shown in a corner of the page for a moment. */
export type Toast = ToastOptions & { kind: ToastKind; message: ReactNode };
