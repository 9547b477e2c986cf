"use client";

import { useAdding } from "#components/records/adding.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

const AddLeadDialog = onDemand("“Add lead”", () =>
  import("./add-lead-dialog.tsx").then((module) => module.AddLeadDialog),
);

/** Loads the dialog when it is opened; beside the list, as for people. */
export function AddingLead({ workspaceId, listId }: { workspaceId: string; listId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddLeadDialog workspaceId={workspaceId} listId={listId} onClose={close} /> : null;
}
