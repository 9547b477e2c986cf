import { LRUCache } from "lru-cache";

/** The state of an id's window: `count` including this one, and when the window ends, in milliseconds from now. */
export type WindowCount = { count: number; endsIn: number };

type Window = { count: number; ends: number };

/**
 * The most ids counted at a time. A caller with more addresses than that within a minute only loses the count of the
 * oldest.
 */
const MOST_IDS = 50_000;

/** Counts per id in windows of `ms` that begin with the first count. Its memory is limited, however many ids come. */
export class BoundedCounter {
  private readonly windows: LRUCache<string, Window>;
  private readonly ms: number;

  constructor(ms: number, most = MOST_IDS) {
    this.ms = ms;
    this.windows = new LRUCache({ max: most });
  }

  /** Counts one. */
  add(id: string): WindowCount {
    const now = performance.now();
    let window = this.windows.get(id);
    if (!window || window.ends <= now) {
      window = { count: 0, ends: now + this.ms };
      this.windows.set(id, window);
    }
    window.count++;
    return { count: window.count, endsIn: Math.min(this.ms, window.ends - now) };
  }

  /** The count so far. */
  get(id: string): WindowCount {
    const window = this.windows.get(id);
    const endsIn = window ? window.ends - performance.now() : 0;
    return window && endsIn > 0 ? { count: window.count, endsIn } : { count: 0, endsIn: 0 };
  }

  /** Ids that are remembered. */
  get size(): number {
    return this.windows.size;
  }
}
