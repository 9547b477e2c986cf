import Link from "next/link";
import type { Column } from "#components/records/list-kind.ts";
import { shortLinkedin } from "#components/records/names.ts";
import { Score } from "#components/records/score.tsx";
import { quiet, text } from "#components/records/shared-columns.tsx";
import { When } from "#components/records/when.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import type { LeadChange, LeadRow } from "./calls.ts";
import { OutcomeChip, StatusChip } from "./chips.tsx";
import { outcomes, statuses } from "./looks.ts";
import { leadName, scoreOf } from "./names.ts";

export type OnLead = (lead: LeadRow, change: LeadChange) => void;

/** The columns of a list of leads, before those of its fields; the first is always there and opens the person. */
export const leadColumns = (onChange: OnLead): readonly Column<LeadRow>[] => [
  {
    id: "name",
    label: "Name",
    weight: 20,
    cell: (lead, { workspaceId }) => (
      <Link
        href={`/${workspaceId}/accounts/${lead.entity_id}`}
        prefetch={false}
        data-row-link
        className="flex items-center gap-2 font-medium outline-offset-0 after:absolute after:inset-0"
      >
        <Avatar name={leadName(lead)} />
        <span className="truncate">{leadName(lead)}</span>
      </Link>
    ),
    text: leadName,
  },
  {
    id: "company",
    label: "Company",
    weight: 14,
    standard: true,
    cell: (lead) => text(lead.company),
    text: (lead) => lead.company ?? "",
  },
  {
    id: "status",
    label: "Status",
    weight: 11,
    standard: true,
    cell: (lead) => <StatusChip lead={lead} onChange={(change) => onChange(lead, change)} />,
    text: (lead) => statuses[lead.status].label,
  },
  {
    id: "reply_outcome",
    label: "Outcome",
    weight: 12,
    standard: true,
    cell: (lead) => <OutcomeChip lead={lead} onChange={(change) => onChange(lead, change)} />,
    text: (lead) => (lead.reply_outcome === null ? "" : outcomes[lead.reply_outcome].label),
  },
  {
    id: "scorecard_score",
    label: "Score",
    weight: 10,
    align: "right",
    sort: "score",
    descendingOnly: true,
    standard: true,
    cell: (lead) => <Score score={scoreOf(lead.scorecard_score)} />,
    text: (lead) => String(lead.scorecard_score ?? ""),
  },
  {
    id: "sent_at",
    label: "Last sent",
    weight: 10,
    standard: true,
    cell: (lead) => <When value={lead.sent_at} />,
    text: (lead) => lead.sent_at ?? "",
  },
  {
    id: "replied_at",
    label: "Replied",
    weight: 10,
    cell: (lead) => <When value={lead.replied_at} />,
    text: (lead) => lead.replied_at ?? "",
  },
  {
    id: "email",
    label: "E-mail",
    weight: 18,
    standard: true,
    cell: (lead) => quiet(lead.email),
    text: (lead) => lead.email ?? "",
  },
  {
    id: "linkedin_url",
    label: "LinkedIn",
    weight: 16,
    cell: (lead) => quiet(shortLinkedin(lead.linkedin_url)),
    text: (lead) => lead.linkedin_url ?? "",
  },
  {
    id: "created_at",
    label: "Added",
    weight: 10,
    sort: "created",
    cell: (lead) => <When value={lead.created_at} />,
    text: (lead) => lead.created_at,
  },
];
