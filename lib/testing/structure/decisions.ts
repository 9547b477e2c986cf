/** The form of `docs/decisions`: what a reader may rely on in every file. */

const INDEX = "README.md";
const FILE_NAME = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const HEADINGS = ["Context", "Decision", "Consequence"];

/** What is wrong with the decisions, a line each; `files` are texts by file name. */
export function flawsOf(files: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(files)
    .filter((name) => name !== INDEX)
    .sort();
  const index = files[INDEX] ?? "";
  const numbers = names.map((name) => name.slice(0, 4));
  return [
    ...names.flatMap((name) => flawsOfOne(name, files[name] ?? "").map((flaw) => `${name} ${flaw}`)),
    ...names
      .filter((_, place) => numbers.indexOf(numbers[place] as string) !== place)
      .map((name) => `${name} has the number of another decision`),
    ...names.filter((name) => !index.includes(`](${name})`)).map((name) => `${name} is not in the index`),
    ...[...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)]
      .filter(([, name = ""]) => !(name in files))
      .map(([, name]) => `the index names ${name}, which is not there`),
  ];
}

function flawsOfOne(name: string, text: string): string[] {
  const number = FILE_NAME.exec(name)?.[1];
  if (number === undefined) return ["is not called NNNN-title-in-small-letters.md"];
  const flaws: string[] = [];
  if (!new RegExp(`^# ${number}: \\S.{9,}\n`).test(text))
    flaws.push(`does not begin with the heading "# ${number}: title"`);
  const date = /^Date: (\d{4}-\d{2}-\d{2})$/m.exec(text)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(date))) flaws.push('has no line "Date: 2026-11-22"');
  const sections = text.split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split("\n", 1)[0]);
  if (headings.join() !== HEADINGS.join()) flaws.push(`has not the headings ${HEADINGS.join(", ")}, in this order`);
  else if (sections.some((section) => section.split("\n").slice(1).join("").trim().length < 30))
    flaws.push("says too little under a heading");
  return flaws;
}
