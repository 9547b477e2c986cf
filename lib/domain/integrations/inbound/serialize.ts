import type { z } from "zod";
import { formatTime } from "#lib/text/time.ts";
import type * as contract from "./contract.ts";
import { type Delivery, type DeliveryHead, SAMPLE_AGENT } from "./queries.ts";

export const summaryOf = (delivery: DeliveryHead): z.input<typeof contract.DeliverySummary> => ({
  ...headOf(delivery),
  attempts: delivery.attempts.length,
});

export const deliveryOf = (delivery: Delivery): z.input<typeof contract.Delivery> => ({
  ...headOf(delivery),
  attempts: [...delivery.attempts],
  contact_ids: [...delivery.contactIds],
  headers: { ...delivery.headers },
  payload: delivery.payload,
});

const headOf = ({
  id,
  provider,
  event,
  title,
  headers,
  status,
  answer,
  message,
  contactIds,
  receivedAt,
}: DeliveryHead) => ({
  id,
  provider,
  event,
  title,
  sample: headers["user-agent"] === SAMPLE_AGENT,
  status,
  answer: answer as Record<string, z.core.util.JSONType>,
  message,
  contacts: contactIds.length,
  received_at: formatTime(receivedAt),
});

type RefusalSource = Pick<contract.Refusal, "code" | "reason" | "advice" | "count" | "standing"> & {
  firstAt: Date;
  lastAt: Date;
};

export const refusalOf = (
  provider: contract.InboundProvider,
  refused: RefusalSource,
): z.input<typeof contract.Refusal> => ({
  provider,
  code: refused.code,
  reason: refused.reason,
  advice: refused.advice,
  count: refused.count,
  standing: refused.standing,
  first_at: formatTime(refused.firstAt),
  last_at: formatTime(refused.lastAt),
});
