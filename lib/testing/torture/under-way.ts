/** Loaded into an app under test: reports on request which requests are under way, by the names of their operations. */
import { piecesUnderWay } from "#lib/core/stalls.ts";

process.on("message", ({ underWay }: { underWay?: true }) => {
  if (!underWay) return;
  const names = piecesUnderWay().flatMap(({ operation }) => (operation === undefined ? [] : [String(operation)]));
  process.send?.({ underWay: names });
});
