import { fold } from "#lib/text/fold.ts";

/** Words that titles and lists have or leave out without meaning anything else: "VP of Sales", "VP Sales". */
const SILENT: ReadonlySet<string> = new Set(["of", "the", "and", "for", "a", "an"]);

/** The words of a text, folded, each between spaces: a phrase occurs in a text when its words do. */
export function wordsOf(text: string): string {
  const words = fold(text)
    .replace(/[^\p{L}\p{N}+#.]+/gu, " ")
    .split(" ")
    .map((word) => word.replace(/\.+$/, ""))
    .filter((word) => word !== "" && !SILENT.has(word));
  return words.length === 0 ? " " : ` ${words.join(" ")} `;
}

/** Whether the words of a phrase occur one after the other; both given as `wordsOf` gives them. */
export const occursIn = (words: string, phrase: string): boolean => phrase !== " " && words.includes(phrase);
