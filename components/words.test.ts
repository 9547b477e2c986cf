import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Turns of phrase of components/words.md that no visible text has. */
const avoided =
  /\b(whoever|whomever|whom|nobody|somebody|anybody|everybody|(stands?|stood) here|what (be)?c[ao]mes? of|known by|save how you sell|mint(s|ed|ing)? (an?|the|new|your)|found out by|said by someone|waits for you|one (a|on each) line|by (itself|themselves)|(give|write) (it|the \w+|a|an|whole) ?(a )?(name|value|number|days?|time|address|domain|description)|say what the value|henceforth|thereof|hereby|aforementioned)\b/i;

/** Lists of words that people type. */
const typed = new Set(["lib/domain/knowledge/query/rules.ts", "lib/domain/knowledge/notes/rules/asking.ts"]);

/** Files whose strings people read: pages, contracts, messages, the API's description, what tools and commands print. */
const files = globSync([
  "{app,components}/**/*.{ts,tsx}",
  "lib/{cli,domain,mcp,openapi,providers}/**/*.ts",
  "lib/core/errors.ts",
]).filter((file) => !/\.(test|fixture)\.ts$/.test(file) && !typed.has(file));

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")).replace(/(^|\s)\/\/.*$/gm, "");

/** Names in code may be anything: only text in quotes or between tags is read by people. */
const visibleIn = (line: string): string =>
  /^\s*[A-Z\w][^=(){};]*$/.test(line)
    ? line
    : (line.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`.*`|>[^<>]*<|>[^<>=(){};]*$/g) ?? []).join(" ");

/** The lines of a file that have such words, with their numbers. */
const linesWith = (code: string): string[] =>
  withoutComments(code)
    .split("\n")
    .flatMap((line, place) => (avoided.test(visibleIn(line)) ? [`${place + 1} ${line.trim()}`] : []));

test("no visible text has the words of components/words.md", () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => linesWith(readFileSync(file, "utf8")).map((line) => `${file}:${line}`));
  expect(found).toEqual([]);
});

test.each([
  "<p>Whoever runs it</p>",
  '  title: "What became of it",',
  "const hint = `It stands here`;",
  "        Moves nobody",
  '{ label: "Known by" }',
  "<Button>Save how you sell</Button>",
  '  message: "Give the list a name."',
  '  message: "Write a domain, such as acme.com."',
  '  hint: "Rapport tries again by itself."',
])("the test sees %s", (code) => {
  expect(linesWith(`export const a = 1;\n${code}`)).toEqual([`2 ${code.trim()}`]);
});

test.each(["/** Whoever\n * runs it */", "  // nobody waits", "const nobody = ownerOf(place);"])(
  "%s is not read by people",
  (code) => {
    expect(linesWith(code)).toEqual([]);
  },
);
