/** What went wrong, counted by kind, with the first examples of each. */
export type Verdict = {
  count(what: string, by?: number): void;
  wrong(kind: Wrong, detail: string): void;
  /** Figures in the order in which they were first counted, then what went wrong. Empty `wrongs`: all is well. */
  report(): { counts: Record<string, number>; wrongs: Partial<Record<Wrong, number>>; text: string };
};

type Wrong =
  /** a record, id or setting of the other tenant */
  | "crossing"
  /** 404 for what exists */
  | "false 404"
  /** refused although the request was right */
  | "false refusal"
  /** 5xx, or an error of the database, that the harness did not cause */
  | "fault"
  /** a write refused by the read-only flag of someone else's reading */
  | "read-only of others"
  /** a call after the end of its work that was sent all the same */
  | "ran after its end"
  /** a row of work that failed, or no row of work that succeeded */
  | "half done"
  | "unhandled rejection"
  /** two transactions that waited for each other, of which the database ended one */
  | "deadlock"
  /** a reader of the feed of changes without what was committed, in its order, once */
  | "feed"
  | "no answer"
  /** a request or stream that did not end with its connection */
  | "under way for ever"
  /** the process grew, or takes more than it may */
  | "memory";

const EXAMPLES = 5;

export function openVerdict(): Verdict {
  const counts: Record<string, number> = {};
  const entries = new Map<Wrong, { times: number; examples: Map<string, number> }>();
  return {
    count(what, by = 1) {
      counts[what] = (counts[what] ?? 0) + by;
    },
    wrong(kind, detail) {
      const entry = entries.get(kind) ?? { times: 0, examples: new Map() };
      entries.set(kind, entry);
      entry.times++;
      const times = entry.examples.get(detail);
      if (times !== undefined || entry.examples.size < EXAMPLES) entry.examples.set(detail, (times ?? 0) + 1);
    },
    report() {
      const figures = Object.entries(counts).map(([what, times]) => `${times} ${what}`);
      const lines = [...entries].flatMap(([kind, { times, examples }]) => [
        `${kind}: ${times}`,
        ...[...examples].map(([detail, times]) => `  ${times} × ${detail}`),
      ]);
      return {
        counts,
        wrongs: Object.fromEntries([...entries].map(([kind, { times }]) => [kind, times])),
        text: [figures.join(", "), ...lines].join("\n"),
      };
    },
  };
}
