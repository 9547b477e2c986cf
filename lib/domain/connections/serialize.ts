import { formatTime } from "#lib/core/time.ts";
import type { Integration, Provider } from "./contract.ts";
import type { ConnectionRow } from "./queries.ts";
import { traits } from "./rules.ts";

/** A provider with its connection, if there is one. */
export function integrationOf(provider: Provider, row: ConnectionRow | null): Integration {
  const { displayName, category } = traits[provider];
  return {
    provider,
    display_name: displayName,
    category,
    connected: row !== null,
    is_verified: row?.isVerified ?? false,
    webhook_status: row?.webhookStatus ?? "none",
    last_event_at: row?.lastEventAt ? formatTime(row.lastEventAt) : null,
    ...(row?.message ? { message: row.message } : {}),
  };
}
