/** Server-sent events (HTML standard, section 9.2): events for an open page. */

/** Browsers reconnect after this time when the stream ended. */
const RETRY_MS = 2_000;
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 20_000;

export type EventSink = {
  /** One event; `id` is what the browser sends as Last-Event-ID when it comes back. */
  send(event: string, data: unknown, id?: string): void;
  end(): void;
};

/**
 * Begins a stream on `write`, and returns the functions to send events. `onEnd` is called once, whichever side ends it.
 */
export function openEventStream(write: (chunk: string) => void, end: () => void): EventSink & { closed(): void } {
  let open = true;
  const heartbeat = setInterval(() => write(":\n\n"), HEARTBEAT_MS);
  heartbeat.unref();
  const closed = () => {
    open = false;
    clearInterval(heartbeat);
  };
  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send(event, data, id) {
      if (open) write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end() {
      if (!open) return;
      closed();
      end();
    },
    closed,
  };
}
