import { unpacked } from "./content-encoding.ts";
import type { Exchange } from "./exchange.ts";

/** How long a body may be on its way before its sender is looked up again: they may have lost their rights meanwhile. */
const LONG_MS = 1_000;

/** Says, when it is asked, whether it was made a long time ago. */
function longSince(): () => boolean {
  const begun = performance.now();
  return () => performance.now() - begun > LONG_MS;
}

/** The body, and who sends it: looked up again when it was long on its way. */
export async function received<Sender>(
  exchange: Exchange,
  limit: number,
  sender: Sender,
  lookUp: () => Promise<Sender>,
): Promise<{ body: Buffer; sender: Sender }> {
  const isLate = longSince();
  const body = await unpacked(exchange, await exchange.body(limit), limit);
  return { body, sender: isLate() ? await lookUp() : sender };
}

/** A file as it arrives; when it was long on its way, `lookUp` must allow it before it is complete. */
export async function* receivedFile(
  file: AsyncIterable<Buffer>,
  lookUp: () => Promise<unknown>,
): AsyncGenerator<Buffer> {
  const isLate = longSince();
  yield* file;
  if (isLate()) await lookUp();
}
