/** Loaded into an app under test: reports on request which requests and streams are under way, by the names of their operations. */
import { piecesUnderWay } from "#lib/core/stalls.ts";

process.on("message", async ({ underWay }: { underWay?: true }) => {
  if (!underWay) return;
  // Loaded only now: what is loaded before the app cannot be made to fail (see `inside.ts`).
  const { writtenStreams } = await import("#lib/http/front.ts");
  const { heldStreams } = await import("#lib/http/streams.ts");
  const names = piecesUnderWay().flatMap(({ operation }) => (operation === undefined ? [] : [String(operation)]));
  const streams = Math.max(writtenStreams(), heldStreams());
  process.send?.({ underWay: [...names, ...Array.from({ length: streams }, () => "a stream")] });
});
