/** Words that do not help a search. */
const small = new Set(
  "a an and any are as at be by did do does for from had has have he her his how i in is it its me my of on or our say says she that the their them they this to was we were what when where which who why will with you your".split(
    " ",
  ),
);

const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** `prices`, `priced` and `pricing` count as the same word. */
const stem = (word: string): string => (word.length > 5 ? word.replace(/(ing|ed|es|s|e)$/, "") : word);

export type Piece = { text: string; hit: boolean };

/** The text in pieces, with the words of the question marked. */
export function highlight(text: string, question: string): Piece[] {
  const wanted = [...fold(question).matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .filter((word) => word.length > 1 && !small.has(word))
    .map(stem);
  if (wanted.length === 0) return [{ text, hit: false }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = fold(word);
    if (!wanted.some((each) => (each.length > 2 ? folded.startsWith(each) : folded === each))) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), hit: false });
    pieces.push({ text: word, hit: true });
    from = index + word.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hit: false });
  return pieces;
}
