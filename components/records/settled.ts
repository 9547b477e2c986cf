import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { wordsOf as nameOf } from "./names.ts";

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

/** Says how a dispute was settled, and offers the way back: the value before, or the only one that was turned down. */
export function toastSettled<V>({ property, before, value, rivals, wordsOf, settle }: Settlement<V>): void {
  const isKept = JSON.stringify(value) === JSON.stringify(before);
  if (!isKept) {
    toastWithUndo(`${nameOf(property)} is now ${wordsOf(value)}.`, () => settle(before));
    return;
  }
  const [other, ...more] = new Map(rivals.map((rival) => [JSON.stringify(rival), rival])).values();
  const instead =
    other === undefined || more.length > 0
      ? {}
      : { action: { label: `Use ${wordsOf(other)}`, onClick: () => void settle(other) } };
  toast.success(`${nameOf(property)} stays ${wordsOf(value)}.`, { duration: 8000, ...instead });
}
