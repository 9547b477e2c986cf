import type { SessionRow } from "#lib/auth/queries/sessions.ts";
import { idleTime } from "#lib/auth/sessions.ts";
import { formatTime } from "#lib/text/time.ts";
import type { BrowserSession } from "./contract.ts";

/** A session's end moves with its use, so it shows when the last use was. */
export const sessionOfRow = (row: SessionRow, current: string): BrowserSession => ({
  id: row.id,
  current: row.id === current,
  user_agent: row.userAgent,
  ip: row.ip,
  created_at: formatTime(row.createdAt),
  last_seen_at: formatTime(new Date(row.expiresAt.getTime() - idleTime())),
});
