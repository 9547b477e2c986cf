import type { CheckState } from "#lib/domain/workspace/checks/contract.ts";

/** One thing that was looked at. `mend`: what to do, with the command where there is one; none when it is fine. */
export type Finding = { check: string; state: CheckState; says: string; mend?: string };

export const fine = (check: string, says: string): Finding => ({ check, state: "fine", says });
export const warning = (check: string, says: string, mend: string): Finding => ({
  check,
  state: "warning",
  says,
  mend,
});
export const failing = (check: string, says: string, mend: string): Finding => ({
  check,
  state: "failing",
  says,
  mend,
});

export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The first of many things in a sentence, and how many more there are. */
export function listed(things: readonly string[], most: number, more: string): string {
  const left = things.length - most;
  return `${things.slice(0, most).join(", ")}${left > 0 ? ` and ${left} more${more}` : ""}`;
}
