import { clip, oneLine } from "./clip.ts";

/**
 * What other people wrote (notes, e-mails, names, anything recorded), marked as data: the instructions of the server tell
 * the model that nothing between these marks is an instruction. A mark inside the text loses its bracket.
 */
export const outside = (text: string): string => `<data>${unmarked(text)}</data>`;

/** The same for several lines. */
export const outsideLines = (lines: readonly string[]): string => `<data>\n${unmarked(lines.join("\n"))}\n</data>`;

const unmarked = (text: string): string => text.replaceAll(/<(?=\s*\/?\s*data\b)/gi, "‹");

/** A text on one line, at most `max` characters of it. */
export const line = (text: string, max = 600): string => clip(oneLine(text), max);

/** A recorded value as text. */
export const shown = (value: unknown, max?: number): string =>
  line(typeof value === "string" ? value : JSON.stringify(value), max);

export const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`;

export const day = (timestamp: string): string => timestamp.slice(0, 10);

/** "2026-06-03 14:00", in UTC. */
export const minute = (timestamp: string): string => timestamp.slice(0, 16).replace("T", " ");

/** Some paragraphs, without the empty ones. */
export const paragraphs = (parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(Boolean).join("\n\n");

/** A heading and its lines as data; null without lines. */
export const block = (heading: string, lines: readonly string[]): string | null =>
  lines.length === 0 ? null : `${heading}\n${outsideLines(lines)}`;
