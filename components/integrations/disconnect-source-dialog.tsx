"use client";

import { useState } from "react";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type KeepOrRemove, KeepOrRemoveField } from "./keep-or-remove-field.tsx";

type DisconnectSourceDialogProps = {
  name: string;
  isConnected: boolean;
  /** What came through it, such as "12 messages". */
  count: string;
  /** What is forgotten, and what stays as it is. */
  description: string;
  /** What a colleague may have too, such as "mailbox". */
  kind: string;
  onDisconnect: (kept: KeepOrRemove) => Promise<unknown>;
  onClose: () => void;
};

/** Asks what to do with what came through a member's mailbox or calendar. */
export function DisconnectSourceDialog(props: DisconnectSourceDialogProps) {
  const { name, isConnected, count, description, kind, onDisconnect, onClose } = props;
  const [kept, setKept] = useState<KeepOrRemove>(isConnected ? "keep" : "remove");
  const { submit, busy, problem } = useSubmit(async () => {
    await onDisconnect(kept);
    toast.success(`${name} is disconnected.`);
    onClose();
  });
  const label = isConnected ? "Disconnect" : "Remove";
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={`${label} ${name}`} description={description}>
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <KeepOrRemoveField
              label={`What came through it: ${count}`}
              kind={kind}
              value={kept}
              onChange={setKept}
              mayKeep={isConnected}
            />
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit label={label} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
