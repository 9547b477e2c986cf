/** Whole numbers for the axis of counts, from 0 to one that no count exceeds; five at most. */
export function ticksTo(most: number): number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const steps = [size / 4, size / 2, size, 2 * size, 2.5 * size];
  const each = steps.find((step) => Number.isInteger(step) && step * 4 >= most) ?? 1;
  const count = Math.max(1, Math.ceil(most / each));
  return Array.from({ length: count + 1 }, (_, place) => place * each);
}
