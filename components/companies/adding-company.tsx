"use client";

import dynamic from "next/dynamic";
import { useAdding } from "#components/records/adding.ts";

const AddCompanyDialog = dynamic(() => import("./add-company-dialog.tsx").then((module) => module.AddCompanyDialog), {
  ssr: false,
});

/** Loads the dialog when it is asked for. */
export function AddingCompany({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddCompanyDialog workspaceId={workspaceId} onClose={close} /> : null;
}
