import Link from "next/link";
import type { ListKind } from "#components/records/list-kind.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Score } from "#components/records/score.tsx";
import { changeLead, type LeadChange, type LeadRow, leadsPage } from "./calls.ts";
import { OutcomeChip, StatusChip } from "./chips.tsx";
import { leadColumns, type OnLead } from "./columns.tsx";
import { leadFilters } from "./filters.ts";
import { noOutcome } from "./looks.ts";
import { leadName, scoreOf } from "./names.ts";

export const leadsId = "leads";

/** A list of leads, whose cells change leads by `onChange`. */
export const leadsKind = (onChange: OnLead): ListKind<LeadRow, LeadChange, typeof leadsId> => ({
  id: leadsId,
  one: "lead",
  many: "leads",
  searchHint: "",
  idLabel: "Lead id",
  columns: leadColumns(onChange),
  filters: leadFilters,
  nameOf: leadName,
  list: leadsPage,
  change: changeLead,
  hasStages: false,
  card: (lead, { workspaceId }) => (
    <>
      <div className="flex items-center gap-2">
        <Link
          href={`/${workspaceId}/accounts/${lead.entity_id}`}
          prefetch={false}
          data-row-link
          className="min-w-0 flex-1 truncate font-medium leading-6 after:absolute after:inset-0"
        >
          {leadName(lead)}
        </Link>
        {lead.scorecard_score === null ? null : <Score score={scoreOf(lead.scorecard_score)} />}
      </div>
      <p className="truncate text-muted-foreground text-sm">{lead.company ?? lead.email}</p>
      <div className="flex items-center gap-2 text-muted-foreground text-sm">
        <StatusChip lead={lead} onChange={(change) => onChange(lead, change)} />
        <OutcomeChip lead={lead} onChange={(change) => onChange(lead, change)} empty={noOutcome} />
        <span className="ml-auto">{lead.sent_at ? <RelativeTime value={lead.sent_at} /> : "Not sent"}</span>
      </div>
    </>
  ),
});
