import type { BadgeProps } from "#components/ui/badge.tsx";
import type { Tier } from "#lib/domain/knowledge/scoring/contract.ts";

/** The tiers of the ICP score in words, and as colours. */
export const tiers: Readonly<Record<Tier, { label: string; tone: NonNullable<BadgeProps["tone"]> }>> = {
  tier_1: { label: "Tier 1", tone: "success" },
  tier_2: { label: "Tier 2", tone: "success" },
  tier_3: { label: "Tier 3", tone: "neutral" },
  not_icp: { label: "Not ICP", tone: "neutral" },
};
