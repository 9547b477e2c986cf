/** What the thread of `parsing.ts` runs. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** What is parsed. Null: it cannot be read. Each parser is loaded when it is first needed: the one for calendars takes ten megabytes. */
export const parsers = {
  async mail(source: Uint8Array) {
    const { MailUnreadable, parseMail } = await import("#lib/text/mail/parse.ts");
    return nullAt(MailUnreadable, () => parseMail(Buffer.from(source.buffer, source.byteOffset, source.byteLength)));
  },
  async meetings({ ics, window }: { ics: string; window: { from: Date; to: Date } }) {
    const { CalendarUnreadable, meetingsIn } = await import("#lib/text/calendar/meetings.ts");
    return nullAt(CalendarUnreadable, () => meetingsIn(ics, window));
  },
} as const;

export type Parsers = typeof parsers;

export type Question = { id: number; parser: keyof Parsers; input: unknown };
export type Answer = { id: number; output: unknown } | { id: number; error: unknown };

async function nullAt<T>(fault: new (...args: string[]) => Error, parse: () => T | Promise<T>): Promise<T | null> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof fault) return null;
    throw error;
  }
}

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
