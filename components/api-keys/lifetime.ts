/** How long a new key lives, as one choice. */
export const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "date", label: "Until a date…" },
  { value: "never", label: "No expiry" },
] as const;
export type Lifetime = (typeof lifetimes)[number]["value"];

export type Expiry = { expires_in_days?: number; expires_at?: string };

/** What to send for a choice; `date` (YYYY-MM-DD) counts in the reader's zone, to its last second. */
export function expiryOf(lifetime: Lifetime, date: string): Expiry {
  if (lifetime === "never") return {};
  if (lifetime === "date") return { expires_at: new Date(`${date}T23:59:59`).toISOString() };
  return { expires_in_days: Number(lifetime) };
}

/** Today's date in the reader's zone, YYYY-MM-DD. */
export function today(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
