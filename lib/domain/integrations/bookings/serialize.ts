import { formatTime } from "#lib/text/time.ts";
import type { Backfill, BackfillContact } from "./contract.ts";
import type { BackfillRow, ContactRow } from "./queries.ts";

export const backfillOf = (row: BackfillRow): Backfill => ({
  id: row.id,
  state: row.state,
  everyone: row.everyone,
  contacts: row.total,
  looked_up: row.position,
  logged: row.logged,
  present: row.present,
  skipped: row.skipped,
  failed: row.failed,
  message: row.message,
  created_at: formatTime(row.createdAt),
  finished_at: row.finishedAt && formatTime(row.finishedAt),
});

export const contactOf = (row: ContactRow): BackfillContact => ({
  contact_id: row.contactId,
  email: row.email,
  looked_up: row.logged !== null,
  logged: row.logged ?? 0,
  present: row.present ?? 0,
  skipped: row.skipped ?? 0,
  problem: row.problem,
});
