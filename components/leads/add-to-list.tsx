"use client";

import { ListPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Plan } from "#lib/core/plans.ts";
import type { PeopleToAdd } from "./calls.ts";

const AddToListDialog = onDemand("“Add to list”", () =>
  import("./add-to-list-dialog.tsx").then((module) => module.AddToListDialog),
);

type AddToListProps = { workspaceId: string; plan: Plan; people: PeopleToAdd; onAdded: () => void };

/** Adds picked people to a list of leads. */
export function AddToList(props: AddToListProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <ListPlus aria-hidden="true" /> <span className="max-sm:sr-only">Add to list…</span>
      </Button>
      {open ? <AddToListDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
