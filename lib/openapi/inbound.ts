import type { ErrorCode } from "#lib/core/errors.ts";
import { errorResponses, type Json } from "./responses.ts";

const codes: readonly ErrorCode[] = [
  "workspace_id_required",
  "invalid_encoding",
  "invalid_json",
  "signature_missing",
  "invalid_signature",
  "timestamp_out_of_tolerance",
  "signing_secret_not_configured",
  "unknown_provider",
  "workspace_not_found",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "not_ready",
];

const recording = {
  id: "rec_abc123",
  title: "Discovery call - Acme Corp",
  recording_start_time: "2026-05-14T14:00:00Z",
  share_url: "https://fathom.video/call/abc123",
  default_summary: { markdown_formatted: "Key points: pricing discussion, Q3 timeline..." },
  calendar_invitees: [{ name: "Jane Smith", email: "jane@acme.example" }],
};

const booking = {
  triggerEvent: "BOOKING_CREATED",
  createdAt: "2026-05-10T09:00:00.000Z",
  payload: {
    uid: "dGVzdC1ib29raW5n",
    title: "Discovery call between You and Jane Smith",
    startTime: "2026-05-14T14:00:00Z",
    endTime: "2026-05-14T14:30:00Z",
    organizer: { name: "You", email: "you@company.example" },
    attendees: [{ name: "Jane Smith", email: "jane@acme.example" }],
  },
};

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

const provider: Json = {
  name: "provider",
  in: "path",
  required: true,
  description: "`fathom` (recordings) or `cal_com` (bookings).",
  schema: { type: "string", enum: ["cal_com", "fathom"] },
};

const workspaceIn = (place: "path" | "query"): Json => ({
  name: "workspace_id",
  in: place,
  required: true,
  description: "Whose timeline it is for.",
  schema: { type: "string", format: "uuid" },
});

const description =
  "No API key: each delivery is signed, and the signature is verified over the bytes as they came. A verified delivery is stored before it is answered 200 and processed once; the same delivery again gets the same answer and changes nothing.";

/** What a delivery is answered. */
export const inboundResponses: Json = {
  DeliveryTaken: {
    description: "Stored, and processed unless it says `queued`.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["ok"],
          properties: {
            ok: { const: true },
            logged: { type: "integer", description: "On how many contacts' timelines it is." },
            skipped: { type: "string", description: "Why there was nothing to do." },
            queued: { const: true, description: "Stored; it will be processed." },
          },
        },
        examples: {
          logged: { value: { ok: true, logged: 1 } },
          skipped: { value: { ok: true, skipped: "unknown_event" } },
          queued: { value: { ok: true, queued: true } },
        },
      },
    },
  },
};

function endpoint(operationId: string, place: "path" | "query"): Json {
  return {
    post: {
      operationId,
      tags: ["Inbound webhooks"],
      summary: `Receive a provider's delivery, the workspace named in the ${place}`,
      description,
      security: [],
      parameters: [
        provider,
        workspaceIn(place),
        header("webhook-id", "fathom: the delivery's id, the same over its retries."),
        header("webhook-timestamp", "fathom: when it was signed, in seconds since 1970."),
        header("webhook-signature", "fathom: `v1,<base64>`; several, separated by spaces, while a secret is rotated."),
        header("X-Cal-Signature-256", "cal_com: HMAC-SHA256 of the body in hex."),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", additionalProperties: true },
            examples: { recording: { value: recording }, booking: { value: booking } },
          },
        },
      },
      responses: {
        "200": { $ref: "#/components/responses/DeliveryTaken" },
        ...errorResponses(codes, codes),
      },
      "x-error-codes": codes,
    },
  };
}

/** The addresses that providers deliver to; they are not operations, because the providers define their bodies. */
export const inboundPaths = (): Record<string, Json> => ({
  "/inbound/{provider}/{workspace_id}": endpoint("receiveDelivery", "path"),
  "/inbound/{provider}": endpoint("receiveDeliveryOf", "query"),
});
