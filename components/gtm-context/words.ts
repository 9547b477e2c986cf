import { diffArrays } from "diff";

export type Part = { kind: "same" | "added" | "removed"; text: string };

/** A word keeps its sign and inner marks (`€1,500`, `set-up`, `don't`); white space and other marks stand alone. */
const word = /\s+|[$€£¥]?[\p{L}\p{M}\p{N}]+(?:[.,'’:/-][\p{L}\p{M}\p{N}]+)*%?|./gsu;

/** What a reader would call the changed words between two texts. */
export const diffWords = (before: string, after: string): Part[] =>
  diffArrays(before.match(word) ?? [], after.match(word) ?? []).map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  }));
