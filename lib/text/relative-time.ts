const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/**
 * "3 days ago", "in 2 weeks", "just now"; both times in milliseconds. What is past counts whole steps, what is ahead the
 * nearest: two weeks from now is "in 2 weeks" a second later too.
 */
export function relativeTime(then: number, now: number, words: Intl.RelativeTimeFormat): string {
  const seconds = (then - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) < size) continue;
    return words.format(seconds < 0 ? Math.trunc(seconds / size) : Math.round(seconds / size), unit);
  }
  return "just now";
}

/** "today", "yesterday", "3 days ago"; what is to come is today. */
export const daysAgo = (days: number): string => (days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`);
