"use client";

import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { CopyButton } from "./copy-button.tsx";

export type ErrorStateProps = {
  /** What happened. */
  title: ReactNode;
  /** What it means and what helps. */
  children?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
  /** The id of this failure for support and in the server log. */
  requestId?: string;
  action?: ReactNode;
  className?: string;
};

export function ErrorState({ title, children, onRetry, retrying, requestId, action, className }: ErrorStateProps) {
  return (
    <div role="alert" className={cn("flex flex-col items-start gap-3 px-4 py-5", className)}>
      <div className="flex max-w-prose gap-2.5">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger-text" />
        <div>
          <div className="font-medium">{title}</div>
          {children ? <div className="mt-1 text-pretty text-muted-foreground">{children}</div> : null}
        </div>
      </div>
      {onRetry || action ? (
        <div className="flex flex-wrap gap-2">
          {onRetry ? (
            <Button onClick={onRetry} loading={retrying ?? false}>
              <RotateCw aria-hidden="true" /> Try again
            </Button>
          ) : null}
          {action}
        </div>
      ) : null}
      {requestId ? (
        <p className="flex items-center gap-1 text-muted-foreground text-sm">
          Request <code className="font-mono">{requestId}</code>
          <CopyButton value={requestId} label="Copy request id" size="sm" />
        </p>
      ) : null}
    </div>
  );
}
