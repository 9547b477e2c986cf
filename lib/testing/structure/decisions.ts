/** The form and length of `docs/decisions`: what a reader may rely on in every file. */

const INDEX = "README.md";
const FILE_NAME = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const HEADINGS = ["Context", "Decision", "Consequence"];
const REPLACED = /^Replaced by: \[(\d{4})\]\((\1-[^)]+)\)$/m;
const MOST_WORDS = 250;
const MOST_WORDS_IN_ALL = 15_000;

/** Marks such as `##`, `-` and `|` are no words. */
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** What is wrong with the decisions, a line each; `files` are texts by file name. */
export function flawsOf(files: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(files)
    .filter((name) => name !== INDEX)
    .sort();
  const index = files[INDEX] ?? "";
  const numbers = names.map((name) => name.slice(0, 4));
  const inAll = names.reduce((sum, name) => sum + wordsOf(files[name] ?? ""), 0);
  return [
    ...(inAll > MOST_WORDS_IN_ALL
      ? [`all decisions have ${inAll} words, at most ${MOST_WORDS_IN_ALL}: shorten or merge some`]
      : []),
    ...names.flatMap((name) => flawsOfOne(name, files[name] ?? "").map((flaw) => `${name} ${flaw}`)),
    ...names
      .filter((_, place) => numbers.indexOf(numbers[place] as string) !== place)
      .map((name) => `${name} has the number of another decision`),
    ...names
      .map((name) => ({ name, by: REPLACED.exec(files[name] ?? "")?.[2] }))
      .filter(({ by }) => by !== undefined && (!(by in files) || REPLACED.test(files[by] ?? "")))
      .map(({ name, by }) => `${name} is replaced by ${by}, which is not there or is replaced too`),
    ...names.filter((name) => !index.includes(`](${name})`)).map((name) => `${name} is not in the index`),
    ...names
      .filter((name) => index.includes(`](${name})`) && !index.includes(`](${name}) | ${titleOf(files[name] ?? "")}`))
      .map((name) => `${name} has another title in the index`),
    ...[...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)]
      .filter(([, name = ""]) => !(name in files))
      .map(([, name]) => `the index names ${name}, which is not there`),
  ];
}

const titleOf = (text: string): string => /^# \d{4}: (.+)$/m.exec(text)?.[1] ?? "";

function flawsOfOne(name: string, text: string): string[] {
  const number = FILE_NAME.exec(name)?.[1];
  if (number === undefined) return ["is not called NNNN-title-in-small-letters.md"];
  const flaws: string[] = [];
  if (!new RegExp(`^# ${number}: \\S.{9,}\n`).test(text))
    flaws.push(`does not begin with the heading "# ${number}: title"`);
  const date = /^Date: (\d{4}-\d{2}-\d{2})$/m.exec(text)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(date))) flaws.push('has no line "Date: 2026-11-22"');
  const words = wordsOf(text);
  if (words > MOST_WORDS)
    flaws.push(`has ${words} words, at most ${MOST_WORDS}: figures and what was tried go to bench/<part>/RESULTS.md`);
  if (REPLACED.test(text)) return flaws;
  const sections = text.split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split("\n", 1)[0]);
  if (headings.join() !== HEADINGS.join()) flaws.push(`has not the headings ${HEADINGS.join(", ")}, in this order`);
  else if (sections.some((section) => section.split("\n").slice(1).join("").trim().length < 30))
    flaws.push("says too little under a heading");
  return flaws;
}
