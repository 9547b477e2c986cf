import { FALLBACK_MS } from "#components/records/refetching.ts";

/** What the cards of a member's mailboxes and calendars have in common. */

/** How a mailbox or calendar is, as its card shows it. */
export const sourceStates = {
  reading: { tone: "neutral", label: "Reading" },
  current: { tone: "success", label: "Up to date" },
  failing: { tone: "warning", label: "Needs attention" },
  disconnected: { tone: "neutral", label: "Disconnected" },
  removing: { tone: "neutral", label: "Being removed" },
} as const;

export type SourceState = keyof typeof sourceStates;

export const isConnected = (state: SourceState): boolean => state !== "disconnected" && state !== "removing";

const READING_MS = 3_000;

/** How soon they are asked for again: while one is read or removed, its count moves. */
export const refetchMs = (sources: readonly { state: SourceState }[] | undefined): number =>
  sources?.some(({ state }) => state === "reading" || state === "removing") ? READING_MS : FALLBACK_MS;

/** Addresses and domains as they were typed, each once. */
export const blockedIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];
