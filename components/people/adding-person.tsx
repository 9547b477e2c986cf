"use client";

import dynamic from "next/dynamic";
import { useAdding } from "#components/records/adding.ts";

const AddPersonDialog = dynamic(() => import("./add-person-dialog.tsx").then((module) => module.AddPersonDialog), {
  ssr: false,
});

/**
 * Loads the dialog when it is asked for. It stands beside the list: a dialog that opens before the list has hydrated
 * would hide it from assistive technology, and React would find attributes it did not write.
 */
export function AddingPerson({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddPersonDialog workspaceId={workspaceId} onClose={close} /> : null;
}
