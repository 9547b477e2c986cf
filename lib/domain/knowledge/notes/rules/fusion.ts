/**
 * What nearness in meaning is worth beside the words, both measured from 0 to 1. Chosen on the tuning questions of bench/notes with
 * embeddings of several qualities (docs/decisions/0071): more lets a weak model push exact matches down, less hides a good one.
 */
const MEANING = 0.5;

export type RankedNote = { noteId: string; similarity: number; start: number };
export type FusedNote = RankedNote & { match: "lexical" | "semantic" | "hybrid" };

/**
 * Merges two lists by a weighted sum of how well the words match and how near the meaning is. Models differ in the cosine of texts that
 * have nothing in common, so a cosine counts from the lowest one of the list; a note that is not among the nearest has none. A note
 * keeps the passage its words found, and the better of its two similarities; similarity never rises along the list.
 */
export function fuse(lexical: readonly RankedNote[], semantic: readonly RankedNote[]): FusedNote[] {
  const floor = Math.min(...semantic.map(({ similarity }) => similarity));
  const fused = new Map<string, FusedNote & { worth: number }>();
  for (const item of lexical) fused.set(item.noteId, { ...item, match: "lexical", worth: item.similarity });
  for (const item of semantic) {
    const near = floor < 1 ? (item.similarity - floor) / (1 - floor) : 0;
    const worth = MEANING * near;
    const earlier = fused.get(item.noteId);
    if (!earlier) fused.set(item.noteId, { ...item, match: "semantic", worth });
    else {
      earlier.match = "hybrid";
      earlier.worth += worth;
      earlier.similarity = Math.max(earlier.similarity, item.similarity);
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
