import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implementAlone } from "#lib/domain/implement.ts";
import { findSigningSecret, receivingUrl } from "#lib/domain/integrations/connections/service.ts";
import { type Answer, post } from "#lib/providers/webhook-target/post.ts";
import { canSign, signatureHeaders } from "#lib/settings/webhook-signatures.ts";
import { sendTestDelivery as contract } from "../contract.ts";
import { findDelivery, findKnown, SAMPLE_AGENT } from "../queries.ts";
import { inboundOf, isInboundProvider } from "../rules/providers.ts";
import { deliveryOf } from "../serialize.ts";
import { keyOf } from "./take-in.ts";

const TIMEOUT_MS = 10_000;

/**
 * Sends a signed sample to the address that the provider delivers to, so that it takes the same way: name, proxy,
 * certificate, front, signature, log. That address is the operator's APP_URL and nothing of it is a caller's choice, so
 * it may be a private one; redirects are not followed, and of the answer only the status is passed on.
 */
export const sendTestDelivery = implementAlone(contract, async ({ workspaceId }, { provider }) => {
  if (!isInboundProvider(provider)) throw new Fault("unknown_provider");
  const { scheme, sample } = inboundOf(provider);
  const secret = await withWorkspace(workspaceId, (db) => findSigningSecret({ db }, provider), { readOnly: true });
  if (!secret || !canSign(scheme, secret)) throw new Fault("signing_secret_not_configured");
  const url = receivingUrl(provider, workspaceId);
  const body = JSON.stringify(sample(new Date()));
  const id = `test_${newId()}`;
  const signed = signatureHeaders(scheme, secret, body, { id });
  const headers = { "content-type": "application/json", "user-agent": SAMPLE_AGENT, ...signed };
  const answer = await post({ url, headers, body }, { privateAllowed: true, timeoutMs: TIMEOUT_MS });
  const key = keyOf(scheme.stamp ? id : undefined, body);
  const delivery = await withWorkspace(
    workspaceId,
    async (db) => {
      const delivery = await findKnown(db, { provider, key });
      return delivery && findDelivery(db, delivery.id);
    },
    { readOnly: true },
  );
  if (!delivery) throw notReceived(url, answer);
  return { ok: true as const, url, delivery: deliveryOf(delivery) };
});

/** What was sent did not come in here, whatever the answer was. */
function notReceived(url: string, { ok, problem }: Answer): Fault {
  const { origin } = new URL(url);
  const why = ok ? "Something else answers at this address." : problem;
  return new Fault(
    "test_not_received",
    { url, reason: why },
    `The signed test did not arrive at ${origin}. ${why} Check APP_URL, and that its name, proxy and certificate lead to this server. Some networks do not let a server reach its own public address; then only a delivery of the provider proves it.`,
  );
}
