import type { BadgeProps } from "#components/ui/badge.tsx";
import type { Check, CheckState } from "#lib/domain/workspace/checks/contract.ts";

export const checkLooks: Record<CheckState, { label: string; tone: BadgeProps["tone"] }> = {
  fine: { label: "Fine", tone: "success" },
  warning: { label: "Look at it", tone: "warning" },
  failing: { label: "Failing", tone: "danger" },
};

const order: readonly CheckState[] = ["failing", "warning", "fine"];

/** What has stopped, then what needs a look, then the rest, each as they were. */
export const worstFirst = (checks: readonly Check[]): Check[] =>
  checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
