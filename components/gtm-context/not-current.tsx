"use client";

import { WifiOff } from "lucide-react";
import type { Problem } from "#components/records/problem.ts";
import { SignInLink } from "#components/records/sign-in-link.tsx";
import { Button } from "#components/ui/button.tsx";

/** The last refresh failed: the page may be out of date. */
export function NotCurrent({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text"
    >
      <WifiOff aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-64">
        {problem.message} What you see may be out of date; what you write is kept.
      </span>
      {problem.signedOut ? (
        <SignInLink />
      ) : (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
