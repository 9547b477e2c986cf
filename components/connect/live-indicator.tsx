"use client";

import { RelativeTime } from "#components/records/relative-time.tsx";
import { cn } from "#components/ui/cn.ts";
import type { Activity } from "./activity.ts";

type LiveIndicatorProps = {
  activity: Activity;
  /** When a key was made on this page, if one was. */
  since: string | null;
  /** The last request failed. */
  unreachable: boolean;
};

/**
 * Turns green at the first call. With `since` (a key was made on this page) only a call after that counts as the first;
 * older ones are shown as earlier calls.
 */
export function LiveIndicator({ activity, since, unreachable }: LiveIndicatorProps) {
  const { last_used_at, client, key_name } = activity;
  const connected = last_used_at !== null && (since === null || last_used_at >= since);
  return (
    <div
      role="status"
      className={cn(
        "flex items-start gap-2.5 rounded-lg border px-4 py-3",
        connected ? "border-transparent bg-success-soft text-success-text" : "bg-card",
      )}
    >
      <span aria-hidden="true" className="flex h-5 items-center">
        <span className={cn("size-2.5 rounded-full", connected ? "bg-success" : "border-2 border-input")} />
      </span>
      <div className="min-w-0">
        <div className="font-medium">{connected ? "Connected" : "Waiting for the first call"}</div>
        <div className={cn("text-sm", !connected && "text-muted-foreground")}>
          {last_used_at ? (
            <>
              {connected ? "Last call" : "The last call before that was"} <RelativeTime value={last_used_at} />
              {client ? ` from ${client}` : null}
              {key_name ? `, with the key ${key_name}` : null}.
            </>
          ) : unreachable ? (
            "This server cannot be reached just now; still trying."
          ) : (
            "This turns green as soon as an agent has called."
          )}
        </div>
      </div>
    </div>
  );
}
