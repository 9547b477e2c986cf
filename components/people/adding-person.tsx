"use client";

import dynamic from "next/dynamic";
import { useAdding } from "#components/records/adding.ts";

const AddPersonDialog = dynamic(() => import("./add-person-dialog.tsx").then((module) => module.AddPersonDialog), {
  ssr: false,
});

/** Loads the dialog when it is asked for. */
export function AddingPerson({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useAdding();
  return isOpen ? <AddPersonDialog workspaceId={workspaceId} onClose={close} /> : null;
}
