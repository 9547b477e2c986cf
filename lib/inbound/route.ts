import { isFault, isRefusal } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import {
  type DeliveryAnswer,
  openInbox,
  requireProof,
  takeIn,
  takeSignature,
  turnAway,
} from "#lib/domain/integrations/inbound/service.ts";
import { answered, type LogFields } from "#lib/http/answer.ts";
import { unpacked } from "#lib/http/content-encoding.ts";
import { type Exchange, handler, type RouteHandler } from "#lib/http/exchange.ts";
import { jsonObject } from "#lib/http/parse.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import { admit, countUnproven } from "./strangers.ts";

/**
 * The route handler of a provider's deliveries. Order of checks: request id, address, provider and workspace, signature
 * headers, body size, signature over the bytes as they came, unpack, parse; then the delivery is stored, and only then is it answered.
 */
export const inbound = (): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered("receiveDelivery", exchange, requestId, async ({ note }) => {
      admit(exchange.ip);
      const { answer, id, failure } = await receive(exchange, requestId, note).catch((error: unknown) => {
        if (isFault(error) && (error.status === 401 || error.status === 404)) countUnproven(exchange.ip);
        throw error;
      });
      note({ delivery_id: id });
      if (failure !== undefined)
        log.error({ request_id: requestId, delivery_id: id, err: failure }, "a delivery waits to be processed again");
      return { status: 200, body: JSON.stringify(answer) };
    });
  });

async function receive(
  exchange: Exchange,
  requestId: string,
  note: (fields: LogFields) => void,
): Promise<DeliveryAnswer> {
  const { header, params } = exchange;
  const { provider = "", workspaceId = queried(exchange, "workspace_id") } = params;
  const inbox = await openInbox(provider, workspaceId);
  note({ workspace_id: inbox.workspaceId, provider });
  try {
    const signature = await takeSignature(inbox, header);
    const body = await exchange.body(LARGE_BODY_LIMIT);
    const proof = requireProof(inbox, signature, body);
    const content = await unpacked(exchange, body, LARGE_BODY_LIMIT);
    const payload = jsonObject(exchange, content, { anyShape: true });
    return await takeIn(proof, { header, text: content.toString(), payload, requestId });
  } catch (error) {
    if (isRefusal(error)) await turnAway(inbox, error.code);
    throw error;
  }
}

const queried = ({ query }: Exchange, name: string): string => new URLSearchParams(query).get(name) ?? "";
