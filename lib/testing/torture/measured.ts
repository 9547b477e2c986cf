/** Loaded into an app whose memory is measured: reports on request what it holds after a full garbage collection. */
process.on("unhandledRejection", (error) => process.send?.({ unhandled: String((error as Error)?.stack ?? error) }));

process.on("message", ({ memory }: { memory?: true }) => {
  if (!memory) return;
  // The second takes what the finalizers of the first let go of.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ memory: { rss, heap: heapUsed + external } });
});
process.channel?.unref();
