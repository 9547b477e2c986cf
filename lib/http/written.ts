import { log } from "#lib/core/log.ts";
import type { Streaming } from "./exchange.ts";

/** Writes a file while it is made, no faster than it is read; its end is missing when making it failed. */
export const written =
  (make: (write: (text: string) => Promise<void>) => Promise<unknown>, requestId: string): Streaming =>
  (out) => {
    let gone = false;
    make(async (text) => {
      await out.drained();
      if (gone) throw new Error("the reader went away");
      out.write(text);
    }).then(out.end, (error: unknown) => {
      log.warn({ err: error, request_id: requestId }, "a file ended early");
      out.fail();
    });
    return () => {
      gone = true;
    };
  };
