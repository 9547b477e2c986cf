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
    <Dialog open={open} onOpenChange={(next) => (next || minted ? undefined : close())}>
      {minted ? (
        <RevealContent title={`${minted.key.name} is ready`} apiKey={minted.api_key} onDone={close} />
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

type RevealContentProps = { title: string; apiKey: string; onDone: () => void };

/**
 * Closes by its own button only: the key cannot be shown again, so Escape asks. Focus goes to the dialog itself, since
 * the first button would open its tooltip over the warning.
 */
export function RevealContent({ title, apiKey, onDone }: RevealContentProps) {
  const [asks, setAsks] = useState(false);
  return (
    <DialogContent
      title={title}
      size="md"
      closable={false}
      onInteractOutside={(event) => event.preventDefault()}
      onEscapeKeyDown={(event) => {
        event.preventDefault();
        setAsks(true);
      }}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      }}
    >
      <DialogBody>
        <Reveal apiKey={apiKey} />
      </DialogBody>
      <DialogFooter>
        <p role="alert" className="mr-auto text-sm text-warning-text empty:hidden">
          {asks ? "Have you copied the key? It cannot be shown again." : null}
        </p>
        <Button variant="primary" onClick={onDone}>
          Copied, done
        </Button>
      </DialogFooter>
    </DialogContent>
  );
}
