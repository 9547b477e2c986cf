/** At most `most` UTF-16 units of a text, never half a character; "…" shows that it was cut. */
export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most).trimEnd()}…`;

/** The same, cut between words where one ends near. */
export function clipAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = beginning(text, most);
  const space = cut.lastIndexOf(" ");
  return `${(space > most * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** The same, on one line. */
export const shorten = (text: string, most: number): string => clipAtWord(oneLine(text), most);

/** A text with all its lines in one. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const beginning = (text: string, most: number): string => text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
