/** Loaded into an app whose memory is measured: reports on request what it holds when all garbage is collected. */
import "./under-way.ts";

process.on("unhandledRejection", (error) => process.send?.({ unhandled: String((error as Error)?.stack ?? error) }));

type Options = { type: "major"; execution: "sync"; flavor: "last-resort" };
const collect = globalThis.gc as unknown as (options?: Options) => void;

process.on("message", ({ memory }: { memory?: true }) => {
  if (!memory) return;
  const taken = process.memoryUsage.rss();
  // The first runs finalizers. The last gives free pages back to the system, which V8 otherwise keeps until it is idle:
  // what is measured is what the process holds, not how high its memory once stood.
  collect();
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ memory: { taken, rss, heap: heapUsed + external } });
});
process.channel?.unref();
