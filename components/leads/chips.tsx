"use client";

import { type ChipChoice, ChipMenu } from "#components/records/chip-menu.tsx";
import type { Lead, LeadChange, LeadStatus, ReplyOutcome } from "./calls.ts";
import { noOutcome, outcomeNames, outcomes, statuses, statusNames } from "./looks.ts";
import { leadName } from "./names.ts";

const NONE = "none";

export const statusChoices: readonly ChipChoice[] = statusNames.map((value) => ({
  value,
  label: statuses[value].label,
}));

export const outcomeChoices: readonly ChipChoice[] = [
  ...outcomeNames.map((value) => ({ value, label: outcomes[value].label })),
  { value: NONE, label: noOutcome },
];

export const changeOfStatus = (value: string): LeadChange => ({ status: value as LeadStatus });
export const changeOfOutcome = (value: string): LeadChange => ({
  reply_outcome: value === NONE ? null : (value as ReplyOutcome),
});

type ChipProps = { lead: Lead; onChange: (change: LeadChange) => void };

export const StatusChip = ({ lead, onChange }: ChipProps) => (
  <ChipMenu
    label={`Status of ${leadName(lead)}`}
    chip={statuses[lead.status]}
    value={lead.status}
    choices={statusChoices}
    onValue={(value) => onChange(changeOfStatus(value))}
  />
);

export const OutcomeChip = ({ lead, onChange, empty }: ChipProps & { empty?: string }) => (
  <ChipMenu
    label={`Outcome of ${leadName(lead)}`}
    chip={lead.reply_outcome === null ? null : outcomes[lead.reply_outcome]}
    value={lead.reply_outcome ?? NONE}
    choices={outcomeChoices}
    {...(empty === undefined ? {} : { empty })}
    onValue={(value) => onChange(changeOfOutcome(value))}
  />
);
