import { isOperatorError } from "#lib/settings/operator-error.ts";
import { watchParents } from "./parents.mjs";

type Close = () => Promise<void> | void;

/** One Ctrl-C comes twice within this time: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Everything that a process has opened, and how it ends. The last opened is closed first, whether the end is a signal,
 * a fault, a failed start or the end of the process that started this one; a second signal ends the process at once.
 */
export class Lifetime {
  readonly #closers: { name: string; close: Close }[] = [];
  readonly #abort = new AbortController();
  #ending: Promise<never> | undefined;
  #endingSince = 0;
  #failed = false;

  constructor() {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(name, () => {
        if (this.#ending && performance.now() - this.#endingSince > SAME_SIGNAL_MS) process.exit(1);
        void this.end(0);
      });
    }
    process.on("disconnect", () => void this.end(0)); // the parent, `bin/runtime.mjs`, ended
    watchParents(() => void this.end(0));
    for (const name of ["uncaughtException", "unhandledRejection"] as const) {
      process.on(name, (fault: unknown) => {
        // Connections break while everything closes; the first fault is the one that counts.
        if (!this.#ending) void this.fail(fault);
      });
    }
    // Our output has no reader any more (a closed pipe): no reason to stop.
    process.stdout.on("error", () => undefined);
    process.stderr.on("error", () => undefined);
  }

  /** Aborted when the end begins. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when the end has a fault as its reason: the app is in no state to finish its work. */
  get failed(): boolean {
    return this.#failed;
  }

  get ending(): boolean {
    return this.#ending !== undefined;
  }

  /** Registers how to close what `opening` yields, from now on: an end during a start waits for it and closes it too. */
  async open<T>(name: string, opening: Promise<T>, close: (opened: T) => Promise<void> | void): Promise<T> {
    this.#closers.push({ name, close: () => opening.then(close, () => undefined) });
    return opening;
  }

  /** Says what is wrong, closes everything and exits 1. */
  fail(fault: unknown): Promise<never> {
    if (!this.#ending) {
      this.#failed = true;
      process.stderr.write(`${describe(fault)}\n`);
    }
    return this.end(1);
  }

  /** Closes everything and exits. */
  end(code: number): Promise<never> {
    this.#ending ??= this.#end(code);
    return this.#ending;
  }

  async #end(code: number): Promise<never> {
    this.#endingSince = performance.now();
    this.#abort.abort();
    await this.#closeAll();
    process.exit(code);
  }

  async #closeAll(): Promise<void> {
    for (let next = this.#closers.pop(); next; next = this.#closers.pop()) {
      try {
        await next.close();
      } catch (error) {
        process.stderr.write(`Closing ${next.name} failed: ${describe(error)}\n`);
      }
    }
  }
}

/** An operator's error prints its message; a fault of ours prints its stack too. */
export function describe(fault: unknown): string {
  if (isOperatorError(fault)) return fault.message;
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
