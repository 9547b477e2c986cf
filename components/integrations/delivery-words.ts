import type { DeliverySummary, InboundProvider, Refusal, Status } from "./delivery-calls.ts";

export const deliveryProviders: Readonly<Record<InboundProvider, string>> = { cal_com: "Cal.com", fathom: "Fathom" };

export const deliveryStatuses = {
  processed: { label: "Processed", tone: "success" },
  skipped: { label: "Skipped", tone: "neutral" },
  pending: { label: "Waiting", tone: "warning" },
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
  return event === null ? "Event without a name" : (events[event] ?? event);
};

/** What became of it, in a sentence. */
export function deliveryResult({ status, answer, message, event }: DeliverySummary): string {
  if (status === "pending") return `Kept; it is tried again by itself.${message ? ` ${message}` : ""}`;
  if (message) return message;
  if (event === "PING") return "The webhook works.";
  const { logged } = answer;
  return typeof logged === "number" ? `Logged on ${logged} ${logged === 1 ? "contact" : "contacts"}.` : "";
}

const reasons: Readonly<Record<string, { what: string; help: string }>> = {
  signature_missing: { what: "no signature", help: "Was it the provider that called this address?" },
  invalid_signature: {
    what: "the signature does not match",
    help: "Check that the signing secret here is the one at the provider, and that no proxy changes the body.",
  },
  timestamp_out_of_tolerance: {
    what: "signed more than 5 minutes away from this server's clock",
    help: "Check the server's clock.",
  },
  signing_secret_not_configured: { what: "no signing secret was saved", help: "Save the provider's secret." },
  invalid_json: { what: "the body was no JSON object", help: "Use the provider's own payload, not a template." },
  unsupported_media_type: {
    what: "the body was not JSON in UTF-8",
    help: "Use the provider's own payload, uncompressed.",
  },
  payload_too_large: {
    what: "the body was too large",
    help: "Ask the provider for deliveries without the transcript.",
  },
};

/** Why requests were turned away, and what to do. */
export function refusalWords({ code, count }: Refusal): { what: string; help: string } {
  const { what, help } = reasons[code] ?? { what: code, help: "" };
  return {
    what: `${count.toLocaleString("en-US")} ${count === 1 ? "request" : "requests"} turned away: ${what}.`,
    help,
  };
}

/** Longer payloads are shown as they came: laying them out would hold up the page. */
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
