/** The parts of `a,b`, trimmed; a comma that belongs to a value is written `\,`, and a backslash before it `\\`. */
export function splitList(text: string): string[] {
  const parts = [""];
  for (const [piece] of text.matchAll(/\\[\\,]|,|[^\\,]+|\\/g)) {
    if (piece === ",") parts.push("");
    else parts[parts.length - 1] += piece.length === 2 && piece.startsWith("\\") ? piece.slice(1) : piece;
  }
  return parts.map((part) => part.trim());
}

/** Values as such a list. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\,]/g, "\\$&")).join(",");
