"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useStep } from "./calls.ts";

const ConfirmDialog = onDemand("“Discard”", () =>
  import("#components/ui/alert-dialog.tsx").then((module) => module.AlertDialog),
);

/** Deletes a file that was not imported. */
export function DiscardButton({ workspaceId, id }: { workspaceId: string; id: string }) {
  const [asking, setAsking] = useState(false);
  const step = useStep({ workspaceId, id });
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        Discard
      </Button>
      {asking ? (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Discard this file?"
          description="The file and its mapping are deleted. Nothing of it was imported."
          confirmLabel="Discard file"
          onConfirm={async () => {
            await step.mutateAsync("cancel");
          }}
        />
      ) : null}
    </>
  );
}
