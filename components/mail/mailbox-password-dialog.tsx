"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Mailbox, useChangeMailbox } from "./calls.ts";

type MailboxPasswordDialogProps = { workspaceId: string; mailbox: Mailbox; onClose: () => void };

/** A new password for a mailbox whose server refuses the old one. */
export function MailboxPasswordDialog({ workspaceId, mailbox, onClose }: MailboxPasswordDialogProps) {
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const change = useChangeMailbox(workspaceId, mailbox.id);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    setProblem(null);
    try {
      await change.mutateAsync({ password });
      toast.success(`${mailbox.address} is read again.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={`New password of ${mailbox.address}`} description="It is tested before it is saved.">
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label="Password" error={problem ?? undefined} required>
              <Input
                type="password"
                value={password}
                autoComplete="off"
                data-1p-ignore
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogSubmit label="Save" disabled={password === ""} busy={change.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
