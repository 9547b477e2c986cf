/** Two versions on one database while instances are replaced; half of a minute's share with the tests, longer by `npm run torture`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { EARLIER } from "../schema/earlier.ts";
import { chanceOf } from "./chance.ts";
import { earlierMigrations, earlierTree } from "./earlier.ts";
import { options, poolsOf, portion } from "./options.ts";
import { playRolling } from "./rolling.ts";
import { openVerdict } from "./verdict.ts";

let earlier: ReturnType<typeof earlierTree>;
beforeAll(() => {
  earlier = earlierTree();
});
afterAll(() => earlier.remove());

test("the list of what the version before bears begins behind its last migration", () => {
  expect(earlierMigrations().at(-1)).toBe(EARLIER.migration);
});

for (const pool of poolsOf("rolling")) {
  const ms = portion("rolling");
  test(`a release is rolled out under writes, on ${pool} connections`, { timeout: ms + 240_000 }, async () => {
    const verdict = openVerdict();
    await playRolling(ms, { pool: pool + 2, earlier: earlier.root, chance: chanceOf(options.seed), verdict });
    const { text, wrongs } = verdict.report();
    console.log(`rolling, pool ${pool}, seed ${options.seed}: ${text}`);
    expect(wrongs, text).toEqual({});
  });
}
