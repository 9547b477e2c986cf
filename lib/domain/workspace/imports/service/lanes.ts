import { together } from "#lib/core/together.ts";

/** Another process has done this batch, or its rows changed since they were read: begin again from what is stored. */
export class Elsewhere extends Error {}

/**
 * Batches of people that are worked on at once. Each locks all of its records before the next begins, and commits after the one before it.
 * So it is as if they were done one after another.
 */
const LANES = 2;

/** Runs batches of an import in turn, several at a time. */
export class Lanes {
  /** false when a batch was done elsewhere */
  isHere = true;
  private readonly under: Promise<boolean>[] = [];
  private readonly most: number;

  constructor(kind: string) {
    this.most = kind === "people" ? LANES : 1;
  }

  /** Begins a batch; returns when the next one may begin. `work` calls `locksTaken` when no other batch can come between. */
  async begin(work: (locksTaken: () => void) => Promise<void>): Promise<void> {
    const locks = Promise.withResolvers<unknown>();
    const done = work(() => locks.resolve(null)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Elsewhere) return false;
        throw error;
      },
    );
    done.then(locks.resolve, locks.resolve); // `done` rejects when it fails
    this.under.push(done);
    await locks.promise;
    await this.settle(this.most - 1);
  }

  /** Waits until no more than so many are under way. */
  async settle(left = 0): Promise<void> {
    for (; this.isHere && this.under.length > left; this.under.shift())
      this.isHere = await (this.under[0] as Promise<boolean>);
  }

  /** Waits for all; what fails here fails after the error that is thrown, or is done again. */
  async end(): Promise<void> {
    await together(this.under.map((each) => each.catch(() => null)));
  }
}
