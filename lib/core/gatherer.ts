type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
type Lane<Item, Result> = { waiting: Waiting<Item, Result>[]; running: number; begun: boolean };

export type Gathering<Item, Result> = {
  /**
   * Handles a group and returns a result or an error for each item, in order. When it throws, every item gets that
   * error.
   */
  run(items: readonly Item[]): Promise<(Result | Error)[]>;
  /** How many groups of a key run at once. */
  lanes: number;
  /** The most items in a group. */
  most: number;
};

/**
 * Groups items that are asked for at the same time: an item that comes while its key's lanes are busy waits for the
 * next group, one that comes alone starts at once. Items of a key start in the order in which they came.
 */
export function gatherer<Item, Result>({
  run,
  lanes,
  most,
}: Gathering<Item, Result>): (key: string, item: Item) => Promise<Result> {
  const keys = new Map<string, Lane<Item, Result>>();

  const begin = (key: string, lane: Lane<Item, Result>) => {
    lane.begun = false;
    while (lane.running < lanes && lane.waiting.length > 0) {
      lane.running++;
      void take(lane.waiting.splice(0, most)).then(() => {
        lane.running--;
        if (lane.waiting.length > 0) begin(key, lane);
        else if (lane.running === 0) keys.delete(key);
      });
    }
  };

  const take = async (group: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place];
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      const lane = keys.get(key) ?? { waiting: [], running: 0, begun: false };
      keys.set(key, lane);
      lane.waiting.push({ item, resolve, reject });
      if (lane.running === lanes || lane.begun) return;
      lane.begun = true;
      // Other items of this turn of the event loop join the group.
      setImmediate(begin, key, lane);
    });
}

/** Runs each item of a failed group again separately, so that no item fails because of another. */
export const oneByOne = <Item, Result>(
  items: readonly Item[],
  run: Gathering<Item, Result>["run"],
): Promise<(Result | Error)[]> =>
  Promise.all(
    items.map((item) =>
      run([item]).then(
        ([result]) => result as Result | Error,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    ),
  );
