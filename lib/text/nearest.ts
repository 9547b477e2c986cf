/** Number of single-character edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** The known word that `word` is most likely a misspelling of, if any is within a third of its length. */
export function nearest<T extends string>(word: string, candidates: readonly T[]): T | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toUpperCase(), candidate.toUpperCase()) }))
    .sort((a, b) => a.edits - b.edits)[0];
  return ranked && ranked.edits <= Math.max(1, Math.floor(word.length / 3)) ? ranked.candidate : undefined;
}
