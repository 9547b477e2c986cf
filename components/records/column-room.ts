/** What a column needs for each unit of its weight, in px. What a table has beyond that is shared out in proportion. */
const UNIT = 8;
/** The column of the checkboxes, in px. */
const FIRST = 40;

export const columnWidth = (weight: number): string => `${weight * UNIT}px`;

/** From 40 rem on, where a list is a table, in steps of 4. Tailwind reads the names as they are. */
const steps = [
  "@max-[44rem]:hidden",
  "@max-[48rem]:hidden",
  "@max-[52rem]:hidden",
  "@max-[56rem]:hidden",
  "@max-[60rem]:hidden",
  "@max-[64rem]:hidden",
  "@max-[68rem]:hidden",
  "@max-[72rem]:hidden",
  "@max-[76rem]:hidden",
  "@max-[80rem]:hidden",
  "@max-[84rem]:hidden",
  "@max-[88rem]:hidden",
  "@max-[92rem]:hidden",
  "@max-[96rem]:hidden",
  "@max-[100rem]:hidden",
  "@max-[104rem]:hidden",
  "@max-[108rem]:hidden",
  "@max-[112rem]:hidden",
  "@max-[116rem]:hidden",
  "@max-[120rem]:hidden",
] as const;

/**
 * For each column the class that leaves it out while its table has no room for it and those before it: a narrow table loses its
 * last columns, and the others stay readable. The first is always there.
 */
export function roomClasses(columns: readonly { weight: number }[]): string[] {
  let needed = FIRST;
  return columns.map(({ weight }, index) => {
    needed += weight * UNIT;
    const step = Math.ceil((needed / 16 - 40) / 4);
    return index === 0 || step <= 0 ? "" : (steps[Math.min(step, steps.length) - 1] as string);
  });
}

/** Whether a column of the table is left out now. */
export const isLeftOut = (id: string): boolean => {
  const head = document.querySelector<HTMLElement>(`th[data-column="${CSS.escape(id)}"]`);
  return head !== null && head.offsetParent === null;
};
