import { unpacked } from "./content-encoding.ts";
import type { Exchange } from "./exchange.ts";

/** A sender is looked up again when their body took longer than this: they may have lost their rights meanwhile. */
const LONG_MS = 1_000;

/** How a sender is looked up again, and when they were last looked up: a time of `performance.now()`. */
type Again<Sender> = { since: number; lookUp: (age: number) => Promise<Sender> };

/** Who sent what took long. */
async function senderNow<Sender>({ since, lookUp }: Again<Sender>): Promise<Sender | null> {
  const ms = performance.now() - since;
  return ms > LONG_MS ? lookUp(ms / 1_000) : null;
}

/** The body and its sender, who is looked up again when the body took long. */
export async function received<Sender>(
  exchange: Exchange,
  limit: number,
  sender: Sender,
  again: Again<Sender>,
): Promise<{ body: Buffer; sender: Sender }> {
  const body = await unpacked(exchange, await exchange.body(limit), limit);
  return { body, sender: (await senderNow(again)) ?? sender };
}

/** A file as it arrives; when it took long, `lookUp` must allow it before it is complete. */
export async function* receivedFile(file: AsyncIterable<Buffer>, again: Again<unknown>): AsyncGenerator<Buffer> {
  yield* file;
  await senderNow(again);
}
