import { formatTime } from "#lib/text/time.ts";
import type { Calendar } from "./contract.ts";
import type { CalendarRow, CollectionRow } from "./queries.ts";

export const viewOfCalendar = (
  row: CalendarRow,
  collections: readonly CollectionRow[],
  meetings: number,
): Calendar => ({
  id: row.id,
  kind: row.kind,
  server: row.server,
  user: row.login || null,
  share: row.share,
  add_contacts: row.addsContacts,
  blocked: row.blocked,
  calendars: collections.map(({ url, name, outcomes }) => ({ url, name, outcomes })),
  chosen: row.chosen,
  state: stateOf(row),
  message: row.message,
  meetings,
  synced_at: row.syncedAt && formatTime(row.syncedAt),
  created_at: formatTime(row.createdAt),
});

function stateOf({ state, isVerified, message, syncedAt }: CalendarRow): Calendar["state"] {
  if (state !== "connected") return state === "leaving" ? "removing" : "disconnected";
  if (!isVerified || message !== null) return "failing";
  return syncedAt === null ? "reading" : "current";
}
