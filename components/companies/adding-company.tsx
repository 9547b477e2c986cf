"use client";

import dynamic from "next/dynamic";
import { useAdding } from "#components/records/adding.ts";

const AddCompanyDialog = dynamic(() => import("./add-company-dialog.tsx").then((module) => module.AddCompanyDialog), {
  ssr: false,
});

/**
 * Loads the dialog when it is asked for. It stands beside the list: a dialog that opens before the list has hydrated
 * would hide it from assistive technology, and React would find attributes it did not write.
 */
export function AddingCompany({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddCompanyDialog workspaceId={workspaceId} onClose={close} /> : null;
}
