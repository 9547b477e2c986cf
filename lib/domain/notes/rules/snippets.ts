/** Longest snippet, in characters. */
export const SNIPPET = 400;

/** Text as one line of at most `limit` characters, cut between words and marked where it was cut. */
export function shorten(text: string, limit = SNIPPET): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const space = cut.lastIndexOf(" ");
  const whole = space > limit * 0.6 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, "");
  return `${whole}…`;
}
