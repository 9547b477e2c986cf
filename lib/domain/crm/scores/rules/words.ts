import { clip } from "#lib/text/clip.ts";
import type { Signal } from "../contract.ts";
import type { FeatureValue } from "./features.ts";
import type { ScoreResult } from "./scorer.ts";

const MOST = 3;
/** Characters of a label. */
const MOST_LABEL = 60;

const shown = (value: unknown): string =>
  typeof value === "number" ? value.toLocaleString("en") : String(value).replaceAll("_", " ");

/** A feature's value as people write it. */
export const wordsOfValue = (value: FeatureValue | null): string =>
  value === null ? "not known" : typeof value === "object" ? value.slice(0, MOST).map(shown).join(", ") : shown(value);

/** Why a score is what it is, in one or two sentences: what spoke for it and against it, the strongest first. */
export function reasonOf(signals: readonly Signal[], { points, disqualified }: ScoreResult): string {
  const reasons = signals
    .map((signal, index) => ({ signal, points: points[index] ?? 0 }))
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points) || (a.signal.key < b.signal.key ? -1 : 1));
  const names = (entries: typeof reasons) => entries.slice(0, MOST).map(({ signal }) => clip(signal.label, MOST_LABEL));
  const speaks = names(reasons.filter((entry) => entry.points > 0));
  const against = names(reasons.filter((entry) => entry.points < 0 && entry.signal.key !== disqualified));
  const out = signals.find(({ key }) => key === disqualified);
  const sentences = [
    out && `Ruled out: ${clip(out.label, MOST_LABEL)}.`,
    speaks.length > 0 && `For: ${speaks.join(", ")}.`,
    against.length > 0 && `Against: ${against.join(", ")}.`,
  ].filter((sentence): sentence is string => Boolean(sentence));
  return sentences.length > 0 ? sentences.join(" ") : "Nothing that is known speaks for it or against it.";
}
