import type { Caller } from "#lib/core/context.ts";
import { log } from "#lib/core/log.ts";
import type { StreamEvent } from "#lib/domain/operation.ts";
import { openEventStream } from "./event-stream.ts";
import type { Exchange, Streaming } from "./exchange.ts";
import { holdStream, whileAllowed } from "./streams.ts";

/** True when the caller wants events, not one answer. */
export const wantsEvents = (exchange: Exchange): boolean =>
  exchange.method === "GET" && /\btext\/event-stream\b/i.test(exchange.header("accept") ?? "");

export type EventStream = {
  events: AsyncIterable<readonly StreamEvent[]>;
  /** Ends the events. */
  leave: AbortController;
  caller: Caller;
  /** whose stream it is counted as */
  holder: string;
  /** Rejects when the caller may not have this any more. */
  check(): Promise<unknown>;
  /** for the log */
  requestId: string;
};

/** Writes events as they come, no faster than they are taken. */
export const streamOf =
  ({ events, leave, caller, holder, check, requestId }: EventStream): Streaming =>
  (out) => {
    const stream = openEventStream(out.write, out.end);
    const release = holdStream(holder);
    const unwatch = whileAllowed(caller, check, stream.end);
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
      unwatch();
      leave.abort();
      release();
    };
  };
