import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { flawsOf } from "./structure/decisions.ts";

const folder = join(import.meta.dirname, "../../docs/decisions");

test("decisions have three headings, a date, a number of their own and a line in the index", () => {
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
    ["0001-other.md has the number of another decision", { "0001-lock.md": sound, "0001-other.md": sound }],
    ["0001-lock.md is not in the index", { "0001-lock.md": sound, "README.md": "" }],
    ["the index names 0001-lock.md, which is not there", { "README.md": index }],
  ])("finds: %s", (flaw, files) => {
    expect(flawsOf({ "README.md": index, ...files })).toContain(flaw);
  });
});
