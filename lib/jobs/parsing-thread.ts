/** What the thread of `parsing.ts` runs. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { CalendarUnreadable, meetingsIn } from "#lib/text/calendar/meetings.ts";
import { MailUnreadable, parseMail } from "#lib/text/mail/parse.ts";

/** What is parsed. Null: it cannot be read. */
export const parsers = {
  async mail(source: Uint8Array) {
    return parseMail(Buffer.from(source.buffer, source.byteOffset, source.byteLength)).catch(
      unlessUnreadable(MailUnreadable),
    );
  },
  async meetings({ ics, window }: { ics: string; window: { from: Date; to: Date } }) {
    try {
      return meetingsIn(ics, window);
    } catch (error) {
      return unlessUnreadable(CalendarUnreadable)(error);
    }
  },
} as const;

export type Parsers = typeof parsers;

export type Question = { id: number; parser: keyof Parsers; input: unknown };
export type Answer = { id: number; output: unknown } | { id: number; error: unknown };

const unlessUnreadable =
  (kind: new (...args: string[]) => Error) =>
  (error: unknown): null => {
    if (error instanceof kind) return null;
    throw error;
  };

// Where a priority is one thread's: requests come first when the machine is busy.
if (process.platform === "linux") setPriority(10);

/** One after the other, in the order asked for: so it is known which one a thread died of. */
let last = Promise.resolve();
parentPort?.on("message", ({ id, parser, input }: Question) => {
  last = last
    .then(() => (parsers[parser] as (input: unknown) => Promise<unknown>)(input))
    .then(
      (output): Answer => ({ id, output }),
      (error: unknown): Answer => ({ id, error }),
    )
    .then((answer) => parentPort?.postMessage(answer));
});
