import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Turns of phrase of components/words.md that no visible text has. */
const avoided =
  /\b(whoever|whomever|whom|nobody|somebody|anybody|everybody|(stands?|stood) here|what becam?e of|known by|save how you sell|henceforth|thereof|hereby|aforementioned)\b/i;

/** Files whose strings people read: pages, contracts, messages, what tools and commands print. */
const files = globSync([
  "{app,components}/**/*.{ts,tsx}",
  "lib/domain/*/contract.ts",
  "lib/domain/*/contract/*.ts",
  "lib/core/errors.ts",
  "lib/mcp/**/*.ts",
  "lib/cli/**/*.ts",
]).filter((file) => !/\.test\.ts$/.test(file));

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")).replace(/(^|\s)\/\/.*$/gm, "");

/** Names in code may be anything: only text in quotes or between tags is read by people. */
const isVisible = (line: string): boolean => /["'`>]|^\s*[A-Z\w][^=(){};]*$/.test(line);

test("no visible text has the words of components/words.md", () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    withoutComments(readFileSync(file, "utf8"))
      .split("\n")
      .flatMap((line, place) => (avoided.test(line) && isVisible(line) ? [`${file}:${place + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test("the test sees such words", () => {
  for (const text of ["Whoever runs it", "What became of it", "It stands here", "Moves nobody"])
    expect(avoided.test(text)).toBe(true);
});
