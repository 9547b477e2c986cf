import { countJson } from "#lib/text/tokens.ts";

/**
 * At most `length` UTF-16 units, cut at a word where one ends near, never inside a character; "…" shows that it was
 * cut.
 */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > length * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Clipped until its JSON form costs at most `tokens`. */
export function clipTokens(text: string, tokens: number): string {
  for (let length = Math.min(text.length, tokens * 5); length > 1; length = Math.floor(length * 0.7)) {
    const clipped = clip(text, length);
    if (countJson(JSON.stringify(clipped)) <= tokens) return clipped;
  }
  return "…";
}

/** A value short enough for a line: long text is clipped, a large structure becomes the beginning of its JSON. */
export function clipValue(value: unknown, length: number): unknown {
  if (typeof value === "string") return clip(value, length);
  if (typeof value !== "object" || value === null) return value;
  const json = JSON.stringify(value);
  return json.length <= length ? value : clip(json, length);
}
