"use client";

import type { ReactNode } from "react";
import { type BulkRequest, useBulkCalls } from "#components/bulk-actions/calls.ts";
import type { ListedRecord, ListKind, Place, Query } from "./list-kind.ts";
import type { Owner } from "./members.ts";
import { RecordActions } from "./record-actions.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import type { Stage } from "./stages.ts";
import { toastProblem } from "./toast-problem.ts";
import type { Selection } from "./use-selection.ts";

/** What is picked: some rows, or all that match, for which an action is begun as a job. `clear` ends the selection. */
export type PickedRows<Row> = {
  picked: readonly Row[];
  whole: ((wanted: BulkRequest) => Promise<void>) | null;
  clear: () => void;
};

type ListSelectionProps<Row extends ListedRecord> = {
  kind: ListKind<Row>;
  workspaceId: string;
  place: Place;
  selection: Selection;
  rows: readonly Row[];
  hasMore: boolean;
  /** How many match, in words: "2,431 people". */
  count: string;
  filters: Query;
  setStage: (rows: readonly Row[], stage: Stage) => void;
  setOwner: (rows: readonly Row[], owner: Owner) => void;
  archive: (rows: readonly Row[]) => void;
  /** Null: of all that match. */
  onExport: (picked: readonly Row[] | null) => void;
  more: ((chosen: PickedRows<Row>) => ReactNode) | undefined;
};

/** From so many loaded rows on a job is offered, though all that match are loaded. */
const MANY = 100;

/** The actions on the picked rows, or on all that match. */
export function ListSelection<Row extends ListedRecord>(props: ListSelectionProps<Row>) {
  const {
    kind,
    workspaceId,
    place,
    selection,
    rows,
    hasMore,
    count,
    filters,
    setStage,
    setOwner,
    archive,
    onExport,
    more,
  } = props;
  const { begin } = useBulkCalls(workspaceId);
  const { whole, size, clear } = selection;
  const picked = rows.filter(({ id }) => selection.has(id));
  const archived = place.status === "archived";

  const run = async (wanted: BulkRequest) => {
    await begin(kind.id, filters, wanted);
    clear();
  };
  const runNow = (wanted: BulkRequest) => void run(wanted).catch(toastProblem);

  const offer = selection.all && (hasMore || rows.length > MANY);
  return (
    <SelectionBar
      count={size}
      whole={
        offer
          ? {
              picked: whole,
              offer: `Select all ${count}`,
              words: `All ${count}`,
              onPick: selection.pickWhole,
            }
          : undefined
      }
      onExport={() => onExport(whole ? null : picked)}
      onClear={clear}
    >
      <RecordActions
        archived={archived}
        onStage={
          kind.hasStages
            ? (stage) => (whole ? runNow({ action: "set_stage", pipeline_stage: stage }) : setStage(picked, stage))
            : undefined
        }
        workspaceId={workspaceId}
        onOwner={(owner) =>
          whole ? runNow({ action: "set_owner", owner: owner?.email ?? "none" }) : setOwner(picked, owner)
        }
        onArchive={() => {
          if (whole) return runNow({ action: archived ? "restore" : "archive" });
          archive(picked);
          clear();
        }}
      />
      {more?.({ picked, whole: whole ? run : null, clear })}
    </SelectionBar>
  );
}
