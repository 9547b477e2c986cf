"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SelectionBar } from "#components/records/selection-bar.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { LeadChange, LeadList, LeadRow } from "./calls.ts";
import { LeadActions } from "./lead-actions.tsx";
import { leadsId } from "./leads-kind.tsx";
import { listsKey } from "./use-lists.ts";

const RemoveDialog = onDemand("“Remove”", () => import("./remove-dialog.tsx").then((module) => module.RemoveDialog));

type LeadSelectionProps = {
  workspaceId: string;
  list: LeadList;
  picked: readonly LeadRow[];
  onChange: (change: LeadChange) => void;
  onExport: () => void;
  onClear: () => void;
};

/** The picked leads of a list, and what can be done with them. */
export function LeadSelection({ workspaceId, list, picked, onChange, onExport, onClear }: LeadSelectionProps) {
  const [removing, setRemoving] = useState(false);
  const client = useQueryClient();
  return (
    <>
      <SelectionBar count={picked.length} onExport={onExport} onClear={onClear}>
        <LeadActions onChange={onChange} onRemove={() => setRemoving(true)} />
      </SelectionBar>
      {removing ? (
        <RemoveDialog
          workspaceId={workspaceId}
          list={list}
          leads={picked}
          onRemoved={() => {
            onClear();
            void client.invalidateQueries({ queryKey: [leadsId, workspaceId] });
            void client.invalidateQueries({ queryKey: listsKey(workspaceId) });
          }}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </>
  );
}
