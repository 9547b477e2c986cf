import { expect, test } from "vitest";
import { giveTurn } from "./turns.ts";

/** How often something else ran while a loop went over so many items. */
async function othersDuring(items: number): Promise<number> {
  let others = 0;
  let over = false;
  const other = () => {
    others++;
    if (!over) setImmediate(other);
  };
  setImmediate(other);
  for (let place = 0; place < items; place++) await giveTurn(place);
  over = true;
  return others;
}

test("a long loop lets others in after every 64th item, and a short one never", async () => {
  expect(await othersDuring(63)).toBe(0);
  expect(await othersDuring(64 * 5)).toBeGreaterThanOrEqual(5);
});
