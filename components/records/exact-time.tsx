"use client";

import { dayAs, type TimeFormat, timeAs } from "#components/ui/times.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

type ExactTimeProps = { value: string; format?: TimeFormat; className?: string };

/** A date or time itself, in the reader's language and zone, with weekday and zone on hover. */
export function ExactTime({ value, format = "day", className }: ExactTimeProps) {
  const time = new Date(value);
  const shown = useHydrated() ? timeAs(format, time) : value.slice(0, 10);
  return (
    <Tooltip content={timeAs("exact", time)}>
      <time dateTime={value} className={className}>
        {shown}
      </time>
    </Tooltip>
  );
}

/** A day of the calendar, `2026-11-22`, as the reader writes it. */
export function ExactDay({ value, format = "day", className }: ExactTimeProps) {
  return (
    <time dateTime={value} className={className}>
      {useHydrated() ? dayAs(format, value) : value}
    </time>
  );
}
