"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import type { Minted } from "#lib/domain/api-keys/contract.ts";
import { MintForm } from "./mint-form.tsx";
import { Reveal } from "./reveal.tsx";

type MintDialogProps = { workspaceId: string; open: boolean; onClose: () => void };

export function MintDialog({ workspaceId, open, onClose }: MintDialogProps) {
  const [minted, setMinted] = useState<Minted | null>(null);

  function close() {
    onClose();
    // Only after the dialog has faded out: otherwise it would show the form again.
    setTimeout(() => setMinted(null), 200);
  }

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : close())}>
      {minted ? (
        <RevealContent title={`${minted.key.name} is ready`} apiKey={minted.api_key} />
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

/**
 * Stays until it is closed on purpose: a click beside it would lose the key for good. Focus goes to the dialog itself,
 * since the first button would open its tooltip over the warning.
 */
export function RevealContent({ title, apiKey }: { title: string; apiKey: string }) {
  return (
    <DialogContent
      title={title}
      size="md"
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      }}
    >
      <DialogBody>
        <Reveal apiKey={apiKey} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </DialogContent>
  );
}
