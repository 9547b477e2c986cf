import { log } from "#lib/core/log.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import type { StreamEvent } from "#lib/domain/implement.ts";
import { openEventStream } from "./event-stream.ts";
import type { Exchange, Streaming } from "./exchange.ts";
import { CHECK_MS, holdStream } from "./streams.ts";

/** True when the caller wants events, not one answer. */
export const wantsEvents = (exchange: Exchange): boolean =>
  exchange.method === "GET" && /\btext\/event-stream\b/i.test(exchange.header("accept") ?? "");

export type Followed = {
  events: AsyncIterable<readonly StreamEvent[]>;
  /** Ends the events. */
  leave: AbortController;
  /** whose stream it is counted as */
  holder: string;
  /** Rejects when the caller may not have this any more. */
  check(): Promise<unknown>;
  /** for the log */
  requestId: string;
};

/** Writes events as they come, no faster than they are taken. */
export const streamOf =
  ({ events, leave, holder, check, requestId }: Followed): Streaming =>
  (out) => {
    const stream = openEventStream(out.write, out.end);
    const release = holdStream(holder);
    const timer = setInterval(() => {
      check().catch((error: unknown) => {
        // While the database is away no rights change, and the stream continues where it was once it is back.
        if (!isUnavailable(error)) stream.end();
      });
    }, CHECK_MS);
    const write = async () => {
      for await (const batch of events)
        for (const { event, data, id } of batch) {
          await out.drained();
          if (leave.signal.aborted) return;
          stream.send(event, data, id);
        }
    };
    write().then(stream.end, (error: unknown) => {
      log.warn({ err: error, request_id: requestId }, "a stream of events ended early");
      stream.end();
    });
    return () => {
      stream.closed();
      clearInterval(timer);
      leave.abort();
      release();
    };
  };
