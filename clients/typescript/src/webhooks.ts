import { Webhook, WebhookVerificationError } from "standardwebhooks";

export { WebhookVerificationError };

/** An event of a trigger. `GET /v2/workspace/trigger-events` has a sample and the JSON Schema of each. */
export type WebhookEvent = {
  /** The same at every attempt: keep it to do nothing twice. */
  id: string;
  /** Such as `stage.advanced`. */
  type: string;
  timestamp: string;
  data: {
    workspace_id: string;
    entity_id: string;
    entity_type: "person" | "company" | "workspace";
    entity_name: string;
    email: string | null;
    domain: string | null;
    /** What it was before, and what it is now. */
    previous: unknown;
    value: unknown;
    [field: string]: unknown;
  };
};

type HeaderList = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads a delivery and proves that it comes from your server: throws a `WebhookVerificationError` for any other. `body` is the
 * body as it came, `secret` is what the trigger was made with (`whsec_…`).
 */
export function verifyWebhook(secret: string, body: string | Uint8Array, headers: HeaderList): WebhookEvent {
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signed = {
    "webhook-id": headerOf(headers, "webhook-id"),
    "webhook-timestamp": headerOf(headers, "webhook-timestamp"),
    "webhook-signature": headerOf(headers, "webhook-signature"),
  };
  const event = new Webhook(secret).verify(text, signed) as Omit<WebhookEvent, "id">;
  return { id: signed["webhook-id"], ...event };
}

/** Of a `Request` of the web, or of Node. */
function headerOf(headers: HeaderList, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (typeof value === "string" ? value : value?.join(" ")) ?? "";
}
