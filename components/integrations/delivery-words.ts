import { numeral } from "#components/ui/numbers.ts";
import { own } from "#lib/text/own.ts";
import type { DeliverySummary, InboundProvider, Refusal, Status } from "./delivery-calls.ts";

export const deliveryProviders: Readonly<Record<InboundProvider, string>> = { cal_com: "Cal.com", fathom: "Fathom" };

export const deliveryStatuses = {
  processed: { label: "Processed", tone: "success" },
  skipped: { label: "Skipped", tone: "neutral" },
  pending: { label: "Waiting", tone: "accent" },
  failed: { label: "Failed", tone: "danger" },
} as const satisfies Readonly<Record<Status, { label: string; tone: string }>>;

const events: Readonly<Record<string, string>> = {
  BOOKING_CREATED: "Meeting booked",
  BOOKING_RESCHEDULED: "Meeting rescheduled",
  BOOKING_CANCELLED: "Meeting cancelled",
  PING: "Ping",
};

/** What came, in words. */
export const deliveryTitle = ({ provider, event }: Pick<DeliverySummary, "provider" | "event">): string => {
  if (provider === "fathom") return "Meeting recorded";
  return event === null ? "Event without a name" : (own(events, event) ?? event);
};

/** The result, in a sentence. */
export function deliveryResult({ status, answer, message, event, sample }: DeliverySummary): string {
  if (sample && status === "processed") return "Sent by Rapport: it arrived, and its signature is right.";
  if (status === "pending") return `Kept; it will be tried again.${message ? ` ${message}` : ""}`;
  if (message) return message;
  if (event === "PING") return "The webhook works.";
  const { logged } = answer;
  return typeof logged === "number" ? `Logged on ${numeral(logged)} ${logged === 1 ? "contact" : "contacts"}.` : "";
}

const requests = (count: number): string => `${numeral(count)} ${count === 1 ? "request" : "requests"} turned away`;

/** How many requests were turned away, and why. */
export const refusalWords = ({ count, reason }: Refusal): string => `${requests(count)}: ${reason}.`;

/** How many were turned away before deliveries came in again or the webhook was set up again. */
export const pastRefusalsWords = (refusals: readonly Refusal[]): string =>
  `${requests(refusals.reduce((sum, { count }) => sum + count, 0))} earlier. Deliveries came in since, or it was set up again.`;

/** Longer payloads are shown as they came: formatting them would block the page. */
const LAID_OUT = 200_000;

/** A payload laid out for reading. */
export function readable(payload: string): string {
  if (payload.length > LAID_OUT) return payload;
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload; // nested too deeply to be laid out
  }
}
