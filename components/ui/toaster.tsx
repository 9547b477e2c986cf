"use client";

import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { notePress } from "./last-action.ts";
import { onDemand } from "./on-demand.tsx";
import type { Toast, ToastOptions } from "./toast.ts";

/**
 * Toasts tell the result of an action, so none of their code loads before the reader's first key or click; from then on
 * they work even without a connection.
 */
const loadHost = () => import("./toast-host.tsx");
const ToastHost = onDemand("Messages", () => loadHost().then((module) => module.ToastHost));

export const toast = {
  message: (message: ReactNode, options?: ToastOptions) => show({ ...options, kind: "message", message }),
  success: (message: ReactNode, options?: ToastOptions) => show({ ...options, kind: "success", message }),
  warning: (message: ReactNode, options?: ToastOptions) => show({ ...options, kind: "warning", message }),
  error: (message: ReactNode, options?: ToastOptions) => show({ ...options, kind: "error", message }),
};

/** The result of an action that can be undone. */
export function toastWithUndo(message: ReactNode, undo: () => void | Promise<void>, options?: ToastOptions): void {
  toast.message(message, { duration: 8000, ...options, action: { label: "Undo", onClick: () => void undo() } });
}

const waiting: Toast[] = [];
const listeners = new Set<() => void>();
let deliver: ((toast: Toast) => void) | null = null;
let wanted = false;

function show(next: Toast): void {
  if (deliver) {
    deliver(next);
    return;
  }
  waiting.push(next);
  wanted = true;
  for (const notify of listeners) notify();
}

function connect(receive: ((toast: Toast) => void) | null): void {
  deliver = receive;
  if (receive) waiting.splice(0).forEach(receive);
}

export function Toaster() {
  const needed = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
    () => false,
  );
  useEffect(() => {
    const first = new AbortController();
    const preload = () => {
      first.abort();
      loadHost().catch(() => undefined);
    };
    document.addEventListener("pointerdown", preload, { signal: first.signal });
    document.addEventListener("keydown", preload, { signal: first.signal });
    document.addEventListener("pointerdown", notePress, true);
    document.addEventListener("keydown", notePress, true);
    return () => {
      first.abort();
      document.removeEventListener("pointerdown", notePress, true);
      document.removeEventListener("keydown", notePress, true);
    };
  }, []);
  return needed ? <ToastHost connect={connect} /> : null;
}
