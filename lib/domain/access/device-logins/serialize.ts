import { isScope } from "#lib/core/plans.ts";
import { formatTime } from "#lib/text/time.ts";
import type { DeviceLogin } from "./contract.ts";
import type { LoginRow } from "./queries.ts";
import { statusOf } from "./rules.ts";

export const loginOfRow = (row: LoginRow, userCode: string, now: Date): DeviceLogin => ({
  user_code: userCode,
  status: statusOf(row, now),
  host: row.host,
  client: row.client,
  ip: row.ip,
  scopes: row.scopes.filter(isScope),
  started_at: formatTime(row.createdAt),
  expires_at: formatTime(row.expiresAt),
});
