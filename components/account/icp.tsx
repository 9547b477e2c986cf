import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import type { Account } from "./calls.ts";

type Icp = NonNullable<Account["icp"]>;

const tiers: Readonly<Record<Icp["tier"], { label: string; tone: NonNullable<BadgeProps["tone"]> }>> = {
  tier_1: { label: "Tier 1", tone: "success" },
  tier_2: { label: "Tier 2", tone: "success" },
  tier_3: { label: "Tier 3", tone: "warning" },
  not_icp: { label: "Not ICP", tone: "neutral" },
};

/** How well the record fits; opens the evidence of its score. */
export function IcpBadge({ icp, onOpen }: { icp: Icp; onOpen: () => void }) {
  const { label, tone } = tiers[icp.tier];
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen} className="rounded-xs">
      <Badge tone={tone}>
        ICP {icp.score} · {label}
      </Badge>
    </button>
  );
}
