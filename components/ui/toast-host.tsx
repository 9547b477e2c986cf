"use client";

import "./style-nonce.ts";
import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { lastAction } from "./last-action.ts";
import type { Toast } from "./toast.ts";
import { toastPlace } from "./toast-place.ts";

type ToastHostProps = { connect: (receive: ((toast: Toast) => void) | null) => void };

/** Where toasts are drawn; mounted by the Toaster with the first toast. */
export function ToastHost({ connect }: ToastHostProps) {
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    connect(draw);
    return () => connect(null);
  }, [connect]);
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={8}
      toastOptions={{
        classNames: {
          toast: "!rounded-md !border-border-strong !bg-popover !text-foreground !shadow-md !font-sans !text-base",
          description: "!text-muted-foreground !text-sm",
          success: "[&_[data-icon]]:!text-success-text",
          warning: "[&_[data-icon]]:!text-warning-text",
          error: "[&_[data-icon]]:!text-danger-text",
          actionButton:
            "!h-7 !rounded-md !border !border-solid !border-input !bg-card !px-2 !font-medium !text-foreground !text-sm hover:!bg-hover",
        },
      }}
    />
  );
}

function draw({ kind, message, ...options }: Toast): void {
  const position = toastPlace(lastAction(), { width: window.innerWidth, height: window.innerHeight });
  // The same failure twice is said once.
  const id = kind === "error" && typeof message === "string" ? { id: message } : {};
  sonner[kind](message, { duration: kind === "error" ? 8000 : 4000, position, ...id, ...options });
}
