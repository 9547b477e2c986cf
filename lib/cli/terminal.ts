import { stripVTControlCharacters, styleText } from "node:util";
import { oneLine } from "#lib/text/clip.ts";
import { relativeTime } from "#lib/text/relative-time.ts";

type Style = Parameters<typeof styleText>[0];

/** Colours standard output, where that is a terminal; NO_COLOR and FORCE_COLOR decide first. */
const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

export const bold = (text: string): string => paint("bold", text);
export const dim = (text: string): string => paint("dim", text);
export const heading = (text: string): string => paint(["bold", "cyan"], text);

// Everything that a terminal would obey instead of show, and what reverses the direction of text.
const COMMANDS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Other people's words, without what would control the terminal. */
export function harmless<T>(value: T): T {
  if (typeof value === "string")
    return value
      .replaceAll("\r\n", "\n")
      .replaceAll(COMMANDS, (sign) => (sign === "\n" || sign === "\t" ? sign : "")) as T;
  if (Array.isArray(value)) return value.map(harmless) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [harmless(name), harmless(member)])) as T;
}

/** Columns of the terminal; a file or a pipe gets whole lines. */
const width = (): number => process.stdout.columns ?? 10_000;

/** Rows under each other, the last column wrapped to the terminal. */
export async function columns(head: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const none = ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"];
  const more = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"];
  const fixed = head
    .slice(0, -1)
    .map((title, at) => Math.min(40, Math.max(title.length, ...rows.map((row) => longest(row[at] ?? "")))) + 2);
  const left = width() - fixed.reduce((sum, each) => sum + each, 0);
  const table = new Table({
    chars: Object.fromEntries([...none, ...more].map((name) => [name, ""])),
    style: { "padding-left": 0, "padding-right": 2, head: [], border: [], compact: true },
    ...(left >= 20 ? { colWidths: [...fixed, left], wordWrap: true } : {}),
    head: head.map((title) => paint("dim", title)),
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Of its lines, without colours. */
const longest = (cell: string): number =>
  Math.max(
    ...stripVTControlCharacters(cell)
      .split("\n")
      .map((line) => line.length),
  );

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
/** "3 days ago", "in 2 weeks", "just now". */
export function relative(time: string, now = Date.now()): string {
  const then = Date.parse(time);
  return Number.isNaN(then) ? time : relativeTime(then, now, words);
}

/** A value of a claim or an observation in one line. */
export const shown = (value: unknown): string =>
  oneLine(typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

/** The day of a date or a moment. */
export const day = (date: string): string => date.slice(0, "2026-06-03".length);

const FRAMES = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const BEGIN_AFTER_MS = 250;
const STEP_MS = 80;

/** Shows on standard error that something is under way while `work` takes, where a person watches. */
export async function spinning<T>(text: string, work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.CI || process.env.TERM === "dumb") return work;
  let frame = 0;
  let drawn = false;
  const began = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - began < BEGIN_AFTER_MS) return;
    drawn = true;
    stderr.write(
      `\r\u001b[K${styleText("cyan", FRAMES[frame++ % FRAMES.length] as string, { stream: stderr })} ${text}`,
    );
  }, STEP_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (drawn) stderr.write("\r\u001b[K");
  }
}

const BAR = 24;

/** A bar on standard error, where a person watches; `done` is 0 to 1. `clear` takes it away. */
export function progressBar(): { show(done: number, words: string): void; clear(): void } {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.CI || process.env.TERM === "dumb")
    return { show: () => undefined, clear: () => undefined };
  return {
    show(done, words) {
      const full = Math.round(Math.min(1, Math.max(0, done)) * BAR);
      const bar = `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
      stderr.write(`\r\u001b[K${styleText("cyan", bar, { stream: stderr })} ${words}`);
    },
    clear: () => void stderr.write("\r\u001b[K"),
  };
}
