import type { ApprovalMode } from "#lib/core/plans.ts";

type ModeWords = { value: ApprovalMode; label: string; hint: string };

/** What a key or client may write by itself, in the order in which it is offered. */
export const approvalChoices: readonly ModeWords[] = [
  { value: "none", label: "Writes without approval", hint: "It does everything its access allows, right away." },
  {
    value: "human_fields",
    label: "Asks to change what people said",
    hint: "What a person said, merges, deletions and settings wait under Approvals. The rest is written right away.",
  },
  {
    value: "writes",
    label: "Writes need approval",
    hint: "It reads right away. Its changes wait under Approvals until a person approves them.",
  },
];

const tellings: Readonly<Record<ApprovalMode, (name: string) => string>> = {
  none: (name) => `${name} now writes without approval.`,
  human_fields: (name) => `${name} now asks before it changes what a person said.`,
  writes: (name) => `What ${name} writes now needs approval.`,
};

/** The result of a change of the mode. */
export const changedTo = (mode: ApprovalMode, name: string): string => tellings[mode](name);
