import type { RecordKind } from "#lib/core/limits.ts";
import { withinRole } from "#lib/core/plans.ts";
import { formatTime } from "#lib/text/time.ts";
import type { ConnectedClient } from "./contract.ts";
import type { ConnectedRow } from "./queries.ts";
import { isDocumentId } from "./rules.ts";

/** The wire form of a grant. `lastUse` is a use this process saw and has not written yet. */
export function clientOfRow(row: ConnectedRow, readerId: string, lastUse: Date | null): ConnectedClient {
  const lastUsedAt = lastUse && (!row.lastUsedAt || lastUse > row.lastUsedAt) ? lastUse : row.lastUsedAt;
  return {
    id: row.id,
    name: row.clientName,
    host: row.clientHost,
    self_registered: !isDocumentId(row.clientId),
    approved_by: row.person,
    mine: row.userId === readerId,
    scopes: withinRole(row.scopes, row.role),
    approval: row.approval,
    kinds: row.kinds as RecordKind[],
    hidden_fields: row.hiddenFields,
    connected_at: formatTime(row.createdAt),
    last_used_at: lastUsedAt && formatTime(lastUsedAt),
  };
}
