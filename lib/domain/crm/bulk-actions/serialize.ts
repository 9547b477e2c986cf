import { formatTime } from "#lib/text/time.ts";
import type { BulkAction } from "./contract.ts";
import type { BulkRow } from "./queries.ts";

export const bulkActionOf = (row: BulkRow): BulkAction => ({
  id: row.id,
  what: row.what,
  action: row.action,
  pipeline_stage: row.stage,
  owner: row.owner === "" ? "none" : row.owner,
  list_id: row.listId,
  filters: row.filters,
  state: row.state,
  total: row.total,
  done: row.changed + row.unchanged + row.skipped,
  changed: row.changed,
  unchanged: row.unchanged,
  skipped: row.skipped,
  undo: row.undone === null ? null : { done: row.restored + row.kept, restored: row.restored, kept: row.kept },
  message: row.message,
  created_by: row.createdBy,
  created_at: formatTime(row.createdAt),
  finished_at: row.finishedAt === null ? null : formatTime(row.finishedAt),
});
