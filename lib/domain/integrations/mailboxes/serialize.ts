import { formatTime } from "#lib/text/time.ts";
import type { Mailbox } from "./contract.ts";
import type { MailboxRow } from "./queries.ts";

export const viewOfMailbox = (row: MailboxRow, kept: number): Mailbox => ({
  id: row.id,
  address: row.address,
  server: { host: row.host, port: row.port, secure: row.secure },
  share: row.share,
  contacts: row.contacts,
  since: formatTime(row.since),
  folders: row.folders,
  blocked: row.blocked,
  keep_bodies: row.keepsBodies,
  state: stateOf(row),
  message: row.message,
  kept,
  synced_at: row.syncedAt && formatTime(row.syncedAt),
  created_at: formatTime(row.createdAt),
});

function stateOf({ state, isVerified, message, syncedAt }: MailboxRow): Mailbox["state"] {
  if (state !== "connected") return state === "leaving" ? "removing" : "disconnected";
  if (!isVerified || message !== null) return "failing";
  return syncedAt === null ? "reading" : "current";
}
