import { formatTime } from "#lib/text/time.ts";
import type { Delivery, DeliverySummary, Trigger, TriggerSummary } from "./contract.ts";
import type { DeliveryHead, DeliveryRow } from "./queries/deliveries.ts";
import type { HourRow, TriggerState } from "./queries.ts";

const timeOrNull = (time: Date | null): string | null => (time === null ? null : formatTime(time));

export const triggerOf = (row: TriggerState, now = new Date()): Trigger => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: [...row.events],
  filters: row.filters,
  status: row.status,
  message: row.message,
  waiting: row.waiting,
  failing_since: timeOrNull(row.failingSince),
  next_attempt_at: row.status === "active" ? timeOrNull(row.nextAttemptAt) : null,
  secret_overlap_until: row.oldSecretUntil && row.oldSecretUntil > now ? formatTime(row.oldSecretUntil) : null,
  created_at: formatTime(row.createdAt),
  updated_at: formatTime(row.updatedAt),
});

export const summaryOf = (row: TriggerState, hours: readonly HourRow[]): TriggerSummary => ({
  ...triggerOf(row),
  health: hours
    .filter(({ triggerId }) => triggerId === row.id)
    .map(({ hour, delivered, failed }) => ({ hour: formatTime(hour), delivered, failed })),
});

export const headOf = (row: DeliveryHead): DeliverySummary => ({
  id: row.id,
  trigger_id: row.triggerId,
  type: row.type,
  entity_id: row.entityId,
  test: row.isTest,
  status: row.status,
  attempts: row.attempts.length,
  last_status: row.attempts.at(-1)?.status ?? null,
  problem: row.attempts.at(-1)?.problem ?? null,
  next_attempt_at: row.status === "pending" ? formatTime(row.nextAt) : null,
  created_at: formatTime(row.createdAt),
  settled_at: timeOrNull(row.settledAt),
});

/** `url`: where it goes now. */
export const deliveryOf = (row: DeliveryRow, url: string): Delivery => ({
  ...headOf(row),
  attempts: [...row.attempts],
  request: {
    url,
    headers: headersOf(row.id, row.isTest),
    body: row.body,
  },
});

/** The headers of a request, without the time and the signature. */
export const headersOf = (id: string, isTest: boolean): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Rapport-Webhooks/1.0",
  "webhook-id": id,
  ...(isTest ? { "webhook-test": "true" } : {}),
});
