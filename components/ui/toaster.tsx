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

/** The result of an action that can be undone: by its toast, and by the palette after that. */
export function toastWithUndo(message: string, undo: () => void | Promise<void>, options?: ToastOptions): void {
  const onClick = () => {
    if (last?.undo === onClick) remember(null);
    void undo();
  };
  remember({ message, undo: onClick });
  toast.message(message, { duration: 8000, ...options, action: { label: "Undo", onClick } });
}

type LastAction = { message: string; undo: () => void };

let last: LastAction | null = null;
const undoListeners = new Set<() => void>();

function remember(action: LastAction | null): void {
  last = action;
  for (const notify of undoListeners) notify();
}

/** The last action that can be undone; null when there is none. */
export const useLastAction = (): LastAction | null =>
  useSyncExternalStore(
    (listener) => {
      undoListeners.add(listener);
      return () => undoListeners.delete(listener);
    },
    () => last,
    () => null,
  );

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
