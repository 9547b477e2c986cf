"use client";

import "./style-nonce.ts";
import { useTheme } from "next-themes";
import { Toaster as Sonner, toast } from "sonner";

export { toast };

/** The result of an action that can be taken back. */
export function toastWithUndo(message: string, undo: () => void | Promise<void>, description?: string) {
  return toast(message, { description, duration: 8000, action: { label: "Undo", onClick: () => void undo() } });
}

export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={8}
      closeButton={false}
      toastOptions={{
        classNames: {
          toast: "!rounded-md !border-border-strong !bg-popover !text-foreground !shadow-md !font-sans !text-base",
          description: "!text-muted-foreground !text-sm",
          success: "[&_[data-icon]]:!text-success-text",
          error: "[&_[data-icon]]:!text-danger-text",
          warning: "[&_[data-icon]]:!text-warning-text",
          actionButton:
            "!h-7 !rounded-md !border !border-solid !border-border-strong !bg-card !px-2 !font-medium !text-foreground !text-sm hover:!bg-hover",
        },
      }}
    />
  );
}
