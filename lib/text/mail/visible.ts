import EmailReplyParser from "email-reply-parser";
import { within } from "./within.ts";

/** What a person writes above a quote is shorter; the rest is cut off as a quote would be. */
const MOST = 60_000;
/** Quotes and signatures begin with short lines. A longer one is left out while they are looked for. */
const LONGEST_LINE = 400;
const MOST_MS = 250;

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
  const visible = within(MOST_MS, () => parser.read(given).getVisibleText());
  const whole = visible
    ?.replaceAll(/[ >]*\uE001(\d+)\uE002/g, (_, index: string) => long[Number(index)] ?? "")
    .replaceAll("\uE000", "$")
    .trim();
  return whole || text;
}
