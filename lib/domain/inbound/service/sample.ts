import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canSign, signatureHeaders } from "#lib/core/webhook-signatures.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { findSigningSecret } from "#lib/domain/connections/service.ts";
import { implementAlone } from "#lib/domain/implement.ts";
import { sendTestDelivery as contract } from "../contract.ts";
import { findDelivery, SAMPLE_AGENT } from "../queries.ts";
import { inboundOf, isInboundProvider } from "../rules/providers.ts";
import { deliveryOf } from "../serialize.ts";
import { type Inbox, requireProof, takeIn, takeSignature } from "./take-in.ts";

/** Processes a sample like a provider's request, in its own transactions, so there is nothing to replay. */
export const sendTestDelivery = implementAlone(contract, async (caller, { provider }) => {
  if (!isInboundProvider(provider)) throw new Fault("unknown_provider");
  const { workspaceId, plan, requestId } = caller;
  const inbox: Inbox = { provider, workspaceId, plan };
  const { scheme, sample } = inboundOf(provider);
  const secret = await withWorkspace(workspaceId, (db) => findSigningSecret({ db }, provider), { readOnly: true });
  if (!secret || !canSign(scheme, secret)) throw new Fault("signing_secret_not_configured");
  const payload = sample(new Date());
  const text = JSON.stringify(payload);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": SAMPLE_AGENT,
    ...signatureHeaders(scheme, secret, text, { id: `test_${newId()}` }),
  };
  const header = (name: string) => headers[name];
  const proof = requireProof(inbox, await takeSignature(inbox, header), Buffer.from(text));
  const { id } = await takeIn(proof, { header, text, payload, requestId, sample: true });
  const delivery =
    id === null ? null : await withWorkspace(workspaceId, (db) => findDelivery(db, id), { readOnly: true });
  if (!delivery) throw new Fault("delivery_not_found");
  return { ok: true as const, delivery: deliveryOf(delivery) };
});
