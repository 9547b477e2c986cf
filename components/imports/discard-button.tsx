"use client";

import { useState } from "react";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { useStep } from "./calls.ts";

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
        <AlertDialog
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
