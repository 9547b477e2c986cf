import { type Answer, post, type Terms } from "#lib/providers/webhook-target/post.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Attempt } from "../contract.ts";
import type { DeliveryRow } from "../queries/deliveries.ts";
import type { TriggerRow } from "../queries.ts";
import { headersOf } from "../serialize.ts";
import { allowedTargets } from "./save.ts";
import { signed, signingSecrets } from "./secrets.ts";

type Target = Pick<TriggerRow, "id" | "url" | "secret" | "oldSecret" | "oldSecretUntil">;
type Message = Pick<DeliveryRow, "id" | "body">;

/** Sends a delivery once, signed at this moment. */
export async function attemptOn(
  target: Target,
  { id, body }: Message,
  { isTest = false, ...terms }: { isTest?: boolean } & Partial<Terms> = {},
): Promise<{ at: Date; answer: Answer }> {
  const at = new Date();
  const headers = { ...headersOf(id, isTest), ...signed(signingSecrets(target, at), id, body, at) };
  const answer = await post({ url: target.url, headers, body }, { ...allowedTargets(), ...terms });
  return { at, answer };
}

/** An attempt as the log keeps it. */
export const attemptOf = (by: Attempt["by"], at: Date, answer: Answer): Attempt => ({
  at: formatTime(at),
  ms: answer.ms,
  by,
  ok: answer.ok,
  status: answer.status,
  problem: answer.problem,
  response: answer.body,
  response_cut: answer.cut,
});
