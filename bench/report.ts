import type { Comparison } from "./load.ts";

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** `goal`: ours as a share of theirs; `least`: how many requests a second of ours, where that is a goal too. */
export type Line = { what: string; goal: number; least?: number; result: Comparison };

/** Prints comparisons under a heading, and returns what missed its goal. */
export function report(heading: string, sides: [ours: string, theirs: string], lines: readonly Line[]): string[] {
  const [ours, theirs] = sides;
  say(`\n${heading}`);
  say(
    `${"".padEnd(34)} ${`${ours}/s`.padStart(11)} ${`${theirs}/s`.padStart(9)} ${"ratio".padStart(6)} ${"goal".padStart(5)} ${"p50 ms".padStart(13)} ${"p99 ms".padStart(13)} ${"CPU ms".padStart(15)} failed`,
  );
  for (const line of lines) say(row(line));
  return lines.filter(isMissed).map(({ what }) => what);
}

const isMissed = ({ goal, least = 0, result: { ours, ratio } }: Line): boolean =>
  ratio < goal || ours.perSecond < least || ours.failed > 0;

function row({ what, goal, least, result: { ours, bare, ratio } }: Line): string {
  const pair = (a: number, b: number, digits: number) => `${a.toFixed(digits)} (${b.toFixed(digits)})`;
  return [
    what.padEnd(34),
    ours.perSecond.toFixed(0).padStart(11),
    bare.perSecond.toFixed(0).padStart(9),
    ratio.toFixed(2).padStart(6),
    goal.toFixed(2).padStart(5),
    pair(ours.p50, bare.p50, 0).padStart(13),
    pair(ours.p99, bare.p99, 0).padStart(13),
    pair(ours.cpuMs, bare.cpuMs, 3).padStart(15),
    String(ours.failed).padStart(6),
    ...(least === undefined ? [] : [`(goal ${least}/s)`]),
  ].join(" ");
}
