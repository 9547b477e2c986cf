import { formatTime } from "#lib/text/time.ts";
import type { ApiKey } from "./contract.ts";
import type { KeyRow } from "./queries.ts";
import { statusOf } from "./rules.ts";

const madeBy: Record<string, string> = {
  user: "Former member",
  cli: "Command line",
  api_key: "Another API key",
  mcp: "Agent",
  job: "Rapport",
  webhook: "Rapport",
};

/** The wire form of a key. `lastUse` is a use this process saw and has not written yet. */
export function keyOfRow(row: KeyRow, now: Date, lastUse: { at: Date; client: string | null } | null = null): ApiKey {
  const newer = lastUse && (!row.lastUsedAt || lastUse.at > row.lastUsedAt) ? lastUse : null;
  const lastUsedAt = newer?.at ?? row.lastUsedAt;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last_four: row.lastFour,
    scopes: row.scopes,
    status: statusOf(row, now),
    created_by: row.creator ?? madeBy[row.createdBy.split(":")[0] ?? ""] ?? "Unknown",
    created_at: formatTime(row.createdAt),
    expires_at: row.expiresAt && formatTime(row.expiresAt),
    last_used_at: lastUsedAt && formatTime(lastUsedAt),
    last_used_client: newer?.client ?? row.lastUsedClient,
    revoked_at: row.revokedAt && formatTime(row.revokedAt),
    replaced_by: row.replacedBy,
    allowed_cidrs: row.allowedCidrs,
    approval: row.approval,
    kinds: row.kinds,
    hidden_fields: row.hiddenFields,
  };
}
