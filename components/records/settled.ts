import { toastWithUndo } from "#components/ui/toaster.tsx";
import { wordsOf as nameOf } from "./names.ts";

/** At most so many of the values that disagree are offered. */
export const MOST = 3;

type Settlement<V> = {
  property: string;
  /** What was believed. */
  before: V;
  /** What is believed now. */
  value: V;
  wordsOf: (value: V) => string;
  /** Opens the dispute again; reports its own failure. */
  undo: () => Promise<void>;
};

/** Says how a dispute was settled, and offers to open it again. */
export function toastSettled<V>({ property, before, value, wordsOf, undo }: Settlement<V>): void {
  const verb = JSON.stringify(value) === JSON.stringify(before) ? "stays" : "is now";
  toastWithUndo(`${nameOf(property)} ${verb} ${wordsOf(value)}.`, undo);
}
