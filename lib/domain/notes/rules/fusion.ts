/** Reciprocal rank fusion's usual constant: how little the very first ranks differ. */
const K = 60;

export type Ranked = { noteId: string; similarity: number; start: number };
export type Fused = Ranked & { match: "lexical" | "semantic" | "hybrid" };

/**
 * Merges two lists by the sum of reciprocal ranks. A note keeps the passage its words found, and the better of its two
 * similarities; similarity never rises along the list.
 */
export function fuse(lexical: readonly Ranked[], semantic: readonly Ranked[]): Fused[] {
  const fused = new Map<string, Fused & { worth: number }>();
  for (const [rank, item] of lexical.entries())
    fused.set(item.noteId, { ...item, match: "lexical", worth: 1 / (K + rank + 1) });
  for (const [rank, item] of semantic.entries()) {
    const worth = 1 / (K + rank + 1);
    const known = fused.get(item.noteId);
    if (!known) fused.set(item.noteId, { ...item, match: "semantic", worth });
    else {
      known.match = "hybrid";
      known.worth += worth;
      known.similarity = Math.max(known.similarity, item.similarity);
    }
  }
  let least = 1;
  return [...fused.values()]
    .sort((a, b) => b.worth - a.worth)
    .map(({ worth: _, ...item }) => {
      least = Math.min(least, Math.max(0, item.similarity));
      return { ...item, similarity: least };
    });
}
