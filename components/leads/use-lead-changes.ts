import { useRef } from "react";
import type { Apply } from "#components/records/use-records.ts";
import type { LeadChange, LeadRow } from "./calls.ts";
import { noOutcome, outcomes, statuses } from "./looks.ts";
import { leadName } from "./names.ts";

type Change = (leads: readonly LeadRow[], change: LeadChange) => void;

/** Changes leads, with a way back. The function is the same at every render, so that cells are not rendered again. */
export function useLeadChanges(): { change: Change; serve: (apply: Apply<LeadRow, LeadChange>) => void } {
  const newest = useRef<Apply<LeadRow, LeadChange>>(null);
  const change = useRef<Change>((leads, wanted) => {
    void newest.current?.(leads, wanted, backOf(wanted), (done) => `${counted(done)}: ${wordsOf(wanted)}`);
  });
  return {
    change: change.current,
    serve(apply) {
      newest.current = apply;
    },
  };
}

/** The change that undoes one. With a status, its moments come back too. */
const backOf =
  (wanted: LeadChange) =>
  ({ status, sent_at, replied_at, reply_outcome }: LeadRow): LeadChange =>
    "status" in wanted ? { status, sent_at, replied_at } : { reply_outcome };

const counted = (leads: readonly LeadRow[]): string =>
  leads.length === 1 && leads[0] ? leadName(leads[0]) : `${leads.length} leads`;

function wordsOf({ status, reply_outcome }: LeadChange): string {
  if (status) return statuses[status].label.toLowerCase();
  return (reply_outcome ? outcomes[reply_outcome].label : noOutcome).toLowerCase();
}
