import { tiers } from "#components/records/tiers.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { Account } from "./calls.ts";

/** How well the record fits; opens why. */
export function IcpBadge({ icp, onOpen }: { icp: NonNullable<Account["icp"]>; onOpen: () => void }) {
  const { label, tone } = tiers[icp.tier];
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen} className="rounded-xs">
      <Badge tone={tone}>
        ICP {icp.score} · {label}
      </Badge>
    </button>
  );
}
