import { diffArrays } from "diff";

export type Part = { kind: "same" | "added" | "removed"; text: string };

/** A word keeps its sign and inner marks (`€1,500`, `set-up`, `don't`); white space and other marks are separate. */
const word = /\s+|[$€£¥]?[\p{L}\p{M}\p{N}]+(?:[.,'’:/-][\p{L}\p{M}\p{N}]+)*%?|./gsu;

/** The changed words between two texts, as a reader sees them. */
export const diffWords = (before: string, after: string): Part[] =>
  diffArrays(before.match(word) ?? [], after.match(word) ?? [])
    .map(({ added, removed, value }): Part => {
      const kind = added ? "added" : removed ? "removed" : "same";
      return { kind, text: value.join("") };
    })
    .reduce<Part[]>(joinPhrases, []);

/** A replaced phrase is one change, although the spaces between its words are equal: `-a +b _ -c +d` is `-a c +b d`. */
function joinPhrases(parts: Part[], part: Part): Part[] {
  const [removed, added, space] = parts.slice(-3);
  const replaced = removed?.kind === "removed" && added?.kind === "added";
  if (replaced && space?.kind === "same" && space.text.trim() === "" && part.kind !== "same") {
    const rest = parts.slice(0, -3);
    const more = (kind: Part["kind"]) => (part.kind === kind ? part.text : "");
    return [
      ...rest,
      { kind: "removed", text: removed.text + space.text + more("removed") },
      { kind: "added", text: added.text + space.text + more("added") },
    ];
  }
  const last = parts.at(-1);
  // The second half of a joined change.
  if (last && last.kind === part.kind) return [...parts.slice(0, -1), { ...last, text: last.text + part.text }];
  return [...parts, part];
}
