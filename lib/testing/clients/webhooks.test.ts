/** Deliveries as the server signs them are believed, others are not. */
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "#clients/typescript/src/webhooks.ts";
import { signatureHeaders, standardWebhooks } from "#lib/settings/webhook-signatures.ts";

const secret = `whsec_${Buffer.from("a secret of the trigger").toString("base64")}`;
const event = { type: "stage.advanced", timestamp: "2026-06-03T14:00:00.000Z", data: { entity_name: "Zoë" } };
const body = JSON.stringify(event);
const headers = signatureHeaders(standardWebhooks, secret, body, { id: "evt_1" });

test.each([
  ["a Request of the web", body, new Headers(headers)],
  ["Node", Buffer.from(body), headers],
])("a delivery is read from %s", (_, sent, from) => {
  expect(verifyWebhook(secret, sent, from)).toEqual({ id: "evt_1", ...event });
});

test.each([
  ["with another secret", `whsec_${Buffer.from("another").toString("base64")}`, body, headers],
  ["of another body", secret, body.replace("Zoë", "Zoe"), headers],
  ["without a signature", secret, body, {}],
  ["that is old", secret, body, signatureHeaders(standardWebhooks, secret, body, { id: "evt_1", at: new Date(0) })],
])("a delivery %s is refused", (_, key, sent, from) => {
  expect(() => verifyWebhook(key, sent, from)).toThrow(WebhookVerificationError);
});
