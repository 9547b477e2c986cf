import { countJson } from "#lib/text/tokens.ts";
import { type Section, type Shape, sections } from "./intents.ts";

/** A line of the answer in its forms, from the richest to the shortest: the first that fits is taken. */
export type Line = readonly (() => object)[];

/** The lines of each section, the most useful first. */
export type Lines = Readonly<Record<Section, readonly Line[]>>;

/** JSON of the lines that were taken, in order of use; `tokens` is what they cost together. */
export type PackedLines = { taken: Record<Section, string[]>; tokens: number; left: number };

/** What separates a line from the next; counting it with every line makes the sum exact or a little high. */
const SEPARATOR = ',{"';

/** No single line takes more than this part of the budget. */
const LARGEST_SHARE = 0.25;

/** With less room than this no line fits. */
const SMALLEST_LINE = 20;

/** Tokens that a section's brackets add once it has lines. */
const BRACKETS = 2;

/** A value for each section. */
export const ofEach = <T>(make: (section: Section) => T): Record<Section, T> =>
  Object.fromEntries(sections.map((section) => [section, make(section)])) as Record<Section, T>;

/** Fills `room` tokens: the servings of the intent in turn, then one line of each section in turn until nothing fits. */
export function pack(shape: Shape, lines: Lines, room: number): PackedLines {
  const taken = ofEach((): string[] => []);
  const next = ofEach(() => 0);
  const largest = Math.max(120, room * LARGEST_SHARE);
  let tokens = 0;
  let left = 0;
  const serve = (section: Section, count: number): void => {
    for (let served = 0; served < count; ) {
      const line = lines[section][next[section]];
      if (!line || room - tokens < SMALLEST_LINE) return;
      next[section] += 1;
      const opening = taken[section].length === 0 ? BRACKETS : 0;
      const form = firstFitting(line, Math.min(largest, room - tokens - opening));
      if (!form) {
        left += 1;
        continue;
      }
      taken[section].push(form.json);
      tokens += form.tokens + opening;
      served += 1;
    }
  };
  for (const [section, count] of shape.servings) serve(section, count);
  const waiting = () => sections.some((section) => next[section] < lines[section].length);
  while (waiting() && room - tokens >= SMALLEST_LINE) for (const section of sections) serve(section, 1);
  for (const section of sections) left += lines[section].length - next[section];
  return { taken, tokens, left };
}

function firstFitting(line: Line, room: number): { json: string; tokens: number } | null {
  for (const form of line) {
    const json = JSON.stringify(form());
    // Each token holds at least one character, so a text this much longer than the room is not worth counting.
    if (json.length > room * 12) continue;
    const tokens = countJson(json + SEPARATOR) - OPENING;
    if (tokens <= room) return { json, tokens };
  }
  return null;
}

/** A line's own `{"` is the end of the separator before it. */
const OPENING = countJson('{"');
