"use client";

import { useSyncExternalStore } from "react";
import { cn } from "#components/ui/cn.ts";
import { relativeWords, timeAs } from "#components/ui/times.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { relativeTime } from "#lib/text/relative-time.ts";

export type RelativeTimeProps = {
  /** ISO 8601, or milliseconds since the epoch. */
  value: string | number | Date;
  className?: string;
};

/**
 * "3h ago", with the exact time in the reader's zone on hover. The server, which does not know the zone, writes
 * the same words, so that nothing moves when the page comes alive.
 */
export function RelativeTime({ value, className }: RelativeTimeProps) {
  const date = new Date(value);
  const minute = useSyncExternalStore(everyMinute, currentMinute, serverMinute);
  if (Number.isNaN(date.getTime())) return null;
  const shown = (
    <time dateTime={date.toISOString()} className={cn("whitespace-nowrap", className)} suppressHydrationWarning>
      {relativeTime(date.getTime(), Date.now(), relativeWords)}
    </time>
  );
  // What the server wrote is left as it is while React hydrates the page, and is drawn anew after that.
  return minute === null ? shown : <Tooltip content={timeAs("exact", date)}>{shown}</Tooltip>;
}

/** One timer for every time on the page. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, 60_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function currentMinute(): number | null {
  return Math.floor(Date.now() / 60_000);
}

function serverMinute(): number | null {
  return null;
}
