import { formatTime } from "#lib/text/time.ts";
import type { Export } from "./contract.ts";
import type { ExportRow } from "./queries.ts";

export const exportOf = ({ createdBy, createdAt, finishedAt, expiresAt, bytes, ...row }: ExportRow): Export => ({
  ...row,
  bytes: Number(bytes),
  created_by: createdBy,
  created_at: formatTime(createdAt),
  finished_at: finishedAt && formatTime(finishedAt),
  expires_at: expiresAt && formatTime(expiresAt),
});
