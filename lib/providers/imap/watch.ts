import { faultOf, MailFault } from "./fault.ts";

type Watched = {
  /** how long nothing may arrive while something is waited for */
  timeoutMs: number;
  /** bytes that arrived so far */
  received(): number;
  /** closes the connection for this reason */
  end(fault: MailFault): void;
};

/** A server that sends a little now and then is waited for this many times as long, and no longer. */
const MOST_WAITS = 20;

/** Knows when a connection is waited for, ends it when nothing comes, and then ends everything that waits. */
export class Watch {
  readonly #watched: Watched;
  readonly #waiting = new Set<(fault: MailFault) => void>();
  #fault: MailFault | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Why the connection is over; null while it is not. */
  get fault(): MailFault | null {
    return this.#fault;
  }

  /** The first reason counts. True for that one. */
  fail(fault: MailFault): boolean {
    if (this.#fault) return false;
    this.#fault = fault;
    for (const reject of this.#waiting) reject(fault);
    this.#waiting.clear();
    return true;
  }

  /**
   * Waits for what the server sends. Throws a `MailFault`; that of the connection when it is over. Only a mistake of the code stays
   * what it is.
   */
  async over<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined); // looked at below, or late
    if (this.#fault) throw this.#fault;
    const { timeoutMs, received, end } = this.#watched;
    const ended = Promise.withResolvers<never>();
    this.#waiting.add(ended.reject);
    let [bytes, quietSince] = [received(), performance.now()];
    const begun = quietSince;
    const timer = setInterval(
      () => {
        const now = performance.now();
        if (received() !== bytes) [bytes, quietSince] = [received(), now];
        if (now - quietSince >= timeoutMs || now - begun >= timeoutMs * MOST_WAITS) end(new MailFault("timeout"));
      },
      Math.max(10, timeoutMs / 8),
    );
    try {
      return await Promise.race([work, ended.promise]);
    } catch (error) {
      if (this.#fault) throw this.#fault;
      throw error instanceof TypeError || error instanceof ReferenceError ? error : faultOf(error);
    } finally {
      clearInterval(timer);
      this.#waiting.delete(ended.reject);
    }
  }
}
