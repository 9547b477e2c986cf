import { providerOf } from "#lib/providers/registry.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Integration, Provider } from "./contract.ts";
import type { ConnectionRow, RefusalRow } from "./queries.ts";
import { endingMessage, turnedAwayMessage, turnedAwayOf } from "./rules.ts";

/** A provider with its connection, if there is one, and its deliveries that were turned away. */
export function integrationOf(
  provider: Provider,
  row: ConnectionRow | null,
  refusals: readonly RefusalRow[],
): Integration {
  const { displayName, category } = providerOf(provider);
  const turnedAway = turnedAwayMessage(provider, turnedAwayOf(provider, refusals));
  // Refused credentials are a message already.
  const ending = row?.isVerified ? endingMessage(provider, row.credentialsEndAt) : null;
  const message = [row?.message, ending, turnedAway].filter(Boolean).join(" ");
  return {
    provider,
    display_name: displayName,
    category,
    connected: row !== null,
    is_verified: row?.isVerified ?? false,
    webhook_status: row?.webhookStatus ?? "none",
    last_event_at: row?.lastEventAt ? formatTime(row.lastEventAt) : null,
    ...(message ? { message } : {}),
  };
}
