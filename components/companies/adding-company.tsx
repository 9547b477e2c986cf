"use client";

import { useAdding } from "#components/records/adding.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

const AddCompanyDialog = onDemand("“Add company”", () =>
  import("./add-company-dialog.tsx").then((module) => module.AddCompanyDialog),
);

/**
 * Loads the dialog when it is opened. It is rendered beside the list: a dialog that opens before the list has hydrated
 * would hide it from assistive technology, and React would find attributes it did not write.
 */
export function AddingCompany({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddCompanyDialog workspaceId={workspaceId} onClose={close} /> : null;
}
