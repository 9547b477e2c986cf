import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { wordsOf as nameOf } from "./names.ts";

/** At most so many of the values that disagree are offered. */
export const MOST = 3;

/** A value on a button. */
export const short = (words: string): string => (words.length > 48 ? `${words.slice(0, 47)}…` : words);

type Settlement<V> = {
  property: string;
  /** What was believed. */
  before: V;
  /** What is believed now. */
  value: V;
  /** What disagrees with it. */
  rivals: readonly V[];
  wordsOf: (value: V) => string;
  /** Records a value; reports its own failure. */
  settle: (value: V) => void | Promise<void>;
};

/** Says how a dispute was settled, and offers the way back: the value before, or those that were turned down. */
export function toastSettled<V>({ property, before, value, rivals, wordsOf, settle }: Settlement<V>): void {
  const isKept = JSON.stringify(value) === JSON.stringify(before);
  if (!isKept) {
    toastWithUndo(`${nameOf(property)} is now ${wordsOf(value)}.`, () => settle(before));
    return;
  }
  const others = [...new Map(rivals.map((rival) => [JSON.stringify(rival), rival])).values()];
  const uses = others.slice(0, MOST).map((other) => ({
    label: `Use ${short(wordsOf(other))}`,
    onClick: () => void settle(other),
  }));
  const [use] = uses;
  const instead = use === undefined ? {} : uses.length === 1 ? { action: use } : { choices: uses };
  toast.success(`${nameOf(property)} stays ${wordsOf(value)}.`, { duration: 8000, ...instead });
}
