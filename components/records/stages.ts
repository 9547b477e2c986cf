import type { BadgeProps } from "#components/ui/badge.tsx";
import type { Person } from "#lib/domain/crm/people/contract.ts";

export type Stage = Person["pipeline_stage"];

/** All stages, lowest first. */
export const stages = ["identified", "aware", "interested", "evaluating", "client"] as const satisfies readonly Stage[];

export const stageLabels: Readonly<Record<Stage, string>> = {
  identified: "Identified",
  aware: "Aware",
  interested: "Interested",
  evaluating: "Evaluating",
  client: "Client",
};

/** Neutral until a person shows interest, then stronger with each stage; amber is for warnings. */
export const stageTones: Readonly<Record<Stage, NonNullable<BadgeProps["tone"]>>> = {
  identified: "neutral",
  aware: "neutral",
  interested: "accent",
  evaluating: "accent-strong",
  client: "success",
};

export const isStage = (value: unknown): value is Stage => stages.some((stage) => stage === value);
