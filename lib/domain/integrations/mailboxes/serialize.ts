import type { z } from "zod";
import type { Folder as ServerFolder } from "#lib/providers/imap/client.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Folder, Mailbox } from "./contract.ts";
import type { MailboxRow } from "./queries.ts";
import { mayBeRead } from "./rules/folders.ts";

/** `kept`: messages with contacts; `missing`: that should be here and are not. */
export const viewOfMailbox = (row: MailboxRow, { kept, missing }: Pick<Mailbox, "kept" | "missing">): Mailbox => ({
  id: row.id,
  address: row.address,
  server: { host: row.host, port: row.port, secure: row.secure },
  sign_in: row.provider,
  share: row.share,
  contacts: row.contacts,
  since: formatTime(row.since),
  folders: row.folders,
  blocked: row.blocked,
  keep_bodies: row.keepsBodies,
  state: stateOf(row),
  message: row.message,
  kept,
  missing,
  synced_at: row.syncedAt && formatTime(row.syncedAt),
  created_at: formatTime(row.createdAt),
});

function stateOf({ state, isVerified, message, syncedAt }: MailboxRow): Mailbox["state"] {
  if (state !== "connected") return state === "leaving" ? "removing" : "disconnected";
  if (!isVerified || message !== null) return "failing";
  return syncedAt === null ? "reading" : "current";
}

export const viewOfFolder = (folder: ServerFolder, read: boolean): z.output<typeof Folder> => ({
  path: folder.path,
  role: folder.role,
  messages: folder.messages ?? null,
  read,
  may_be_read: mayBeRead(folder),
});
