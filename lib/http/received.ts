import { unpacked } from "./content-encoding.ts";
import type { Exchange } from "./exchange.ts";

/** A sender is looked up again when their body took longer than this: they may have lost their rights meanwhile. */
const LONG_MS = 1_000;

/** How a sender is looked up again, and when they were last looked up: a time of `performance.now()`. */
type Again<Sender> = { since: number; lookUp: () => Promise<Sender> };

const isOld = (since: number): boolean => performance.now() - since > LONG_MS;

/** The body and its sender, who is looked up again when the body took long. */
export async function received<Sender>(
  exchange: Exchange,
  limit: number,
  sender: Sender,
  { since, lookUp }: Again<Sender>,
): Promise<{ body: Buffer; sender: Sender }> {
  const body = await unpacked(exchange, await exchange.body(limit), limit);
  return { body, sender: isOld(since) ? await lookUp() : sender };
}

/** A file as it arrives; when it took long, `lookUp` must allow it before it is complete. */
export async function* receivedFile(
  file: AsyncIterable<Buffer>,
  { since, lookUp }: Again<unknown>,
): AsyncGenerator<Buffer> {
  yield* file;
  if (isOld(since)) await lookUp();
}
