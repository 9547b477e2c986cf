"use client";

import { useState } from "react";
import { OneTimeSecret } from "#components/records/one-time-secret.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import type { MintAnswer } from "#lib/domain/access/api-keys/contract.ts";
import { MintForm } from "./mint-form.tsx";
import { Reveal } from "./reveal.tsx";

type MintDialogProps = { workspaceId: string; open: boolean; onClose: () => void };

export function MintDialog({ workspaceId, open, onClose }: MintDialogProps) {
  const [minted, setMinted] = useState<MintAnswer | null>(null);

  function close() {
    onClose();
    // Only after the dialog has faded out: otherwise it would show the form again.
    setTimeout(() => setMinted(null), 200);
  }

  return (
    <Dialog open={open} onOpenChange={(next) => (next || minted ? undefined : close())}>
      {minted ? (
        <OneTimeSecret title={`${minted.key.name} is ready`} noun="key" onDone={close}>
          <Reveal minted={minted} />
        </OneTimeSecret>
      ) : (
        <DialogContent title="New API key" description="Lets one agent or script act in this workspace.">
          <MintForm workspaceId={workspaceId} onMinted={setMinted}>
            {({ name, options, failure, submit }) => (
              <>
                <DialogBody>
                  {name}
                  {options}
                  {failure}
                </DialogBody>
                <DialogFooter>
                  <DialogClose asChild>
                    <Button>Cancel</Button>
                  </DialogClose>
                  {submit}
                </DialogFooter>
              </>
            )}
          </MintForm>
        </DialogContent>
      )}
    </Dialog>
  );
}
