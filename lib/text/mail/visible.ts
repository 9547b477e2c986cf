import EmailReplyParser from "email-reply-parser";
import { within } from "./within.ts";

/** What a person writes above a quote is shorter; the rest is cut off as a quote would be. */
const MOST = 60_000;
/** Quotes and signatures begin with short lines. A longer one is left out while they are looked for. */
const LONGEST_LINE = 200;
const MOST_MS = 250;
/** Up to here the expressions end soon, but for those that look beyond a line: they begin with one of these. */
const SHORT = 8_000;
const BEYOND_A_LINE = /^\s*(?:Op|W dniu|Dnia|[a-z]{3,4}\.)\s|^在/m;

const parser = new EmailReplyParser();

/**
 * What the sender wrote: without the mail it answers and without a signature. The parser's expressions are made for mail that
 * people write, so it is given no long lines, no `$` (which it would take for a placeholder), and a time limit: after that, or
 * when nothing would be left, it is the whole text.
 */
export function visibleOf(text: string): string {
  const long: string[] = [];
  const given = text
    .slice(0, MOST)
    .replaceAll("$", "\uE000")
    .replaceAll(/\n{3,}/g, "\n\n")
    .split("\n")
    .map((line) => {
      if (line.length <= LONGEST_LINE) return line.trimEnd();
      long.push(line);
      return `${/^[ >]{0,20}/.exec(line)?.[0] ?? ""}\uE001${long.length - 1}\uE002`;
    })
    .join("\n");
  const parse = () => parser.read(given).getVisibleText();
  // The limit costs a thread each time.
  const visible = given.length <= SHORT && !BEYOND_A_LINE.test(given) ? parse() : within(MOST_MS, parse);
  const whole = visible
    ?.replaceAll(/[ >]*\uE001(\d+)\uE002/g, (_, index: string) => long[Number(index)] ?? "")
    .replaceAll("\uE000", "$")
    .trim();
  return whole || text;
}
