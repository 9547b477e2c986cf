import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { flawsOf } from "./structure/decisions.ts";

const folder = join(import.meta.dirname, "../../docs/decisions");

test("decisions are short, have three headings, a date, a number of their own and a line in the index", () => {
  const names = readdirSync(folder);
  expect(names.length).toBeGreaterThan(30);
  expect(flawsOf(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")])))).toEqual(
    [],
  );
});

const said = "Three dozen characters of explanation.";
const sound = `# 0001: One lock per entity\n\nDate: 2026-11-21\n\n## Context\n\n${said}\n\n## Decision\n\n${said}\n\n## Consequence\n\n${said}\n`;
const index = "| [0001](0001-lock.md) | One lock per entity |";

describe("the form", () => {
  test("is that of a sound decision", () => {
    expect(flawsOf({ "0001-lock.md": sound, "README.md": index })).toEqual([]);
  });

  test("of a replaced decision is a link and a few words", () => {
    const old =
      "# 0002: Two locks per entity\n\nDate: 2026-11-21\n\nReplaced by: [0001](0001-lock.md)\n\nOne is enough.\n";
    const both = `${index}\n| [0002](0002-locks.md) | Two locks per entity |`;
    expect(flawsOf({ "0001-lock.md": sound, "0002-locks.md": old, "README.md": both })).toEqual([]);
    expect(flawsOf({ "0002-locks.md": old, "README.md": both })).toContain(
      "0002-locks.md is replaced by 0001-lock.md, which is not there or is replaced too",
    );
  });

  test("counts the words of all decisions together", () => {
    const long = sound.replace(said, "word ".repeat(220));
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, n) => [`${String(n).padStart(4, "0")}-lock.md`, long]),
    );
    expect(flawsOf(many)[0]).toMatch(/^all decisions have \d+ words, at most 15000: shorten or merge some$/);
  });

  test.each<[flaw: string, files: Record<string, string>]>([
    ["xxxx-lock.md is not called NNNN-title-in-small-letters.md", { "xxxx-lock.md": sound }],
    ['0002-lock.md does not begin with the heading "# 0002: title"', { "0002-lock.md": sound }],
    ['0001-lock.md has no line "Date: 2026-11-22"', { "0001-lock.md": sound.replace("2026-11-21", "yesterday") }],
    ['0001-lock.md has no line "Date: 2026-11-22"', { "0001-lock.md": sound.replace("2026-11-21", "2026-13-41") }],
    [
      "0001-lock.md has not the headings Context, Decision, Consequence, in this order",
      { "0001-lock.md": sound.replace("## Consequence", "## Consequences") },
    ],
    ["0001-lock.md says too little under a heading", { "0001-lock.md": sound.replace(said, "Yes.") }],
    [
      "0001-lock.md has 260 words, at most 250: figures and what was tried go to bench/<part>/RESULTS.md",
      { "0001-lock.md": sound.replace(said, "word ".repeat(240)) },
    ],
    ["0001-other.md has the number of another decision", { "0001-lock.md": sound, "0001-other.md": sound }],
    ["0001-lock.md has another title in the index", { "0001-lock.md": sound.replace("One lock", "No lock") }],
    ["0001-lock.md is not in the index", { "0001-lock.md": sound, "README.md": "" }],
    ["the index names 0001-lock.md, which is not there", { "README.md": index }],
  ])("finds: %s", (flaw, files) => {
    expect(flawsOf({ "README.md": index, ...files })).toContain(flaw);
  });
});
