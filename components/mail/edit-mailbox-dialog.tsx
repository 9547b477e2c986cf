"use client";

import { useState } from "react";
import { blockedIn } from "#components/integrations/sources.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Mailbox, useChangeMailbox, useMailFolders } from "./calls.ts";
import { BlockedField, ContactsField, TextsField } from "./connect-mailbox-fields.tsx";
import { MailboxFolders } from "./mailbox-folders.tsx";

type EditMailboxDialogProps = { workspaceId: string; mailbox: Mailbox; onClose: () => void };

/** What of a connected mailbox is read. What goes because someone is blocked is counted before it goes. */
export function EditMailboxDialog({ workspaceId, mailbox, onClose }: EditMailboxDialogProps) {
  const [contacts, setContacts] = useState(mailbox.contacts);
  const [blocked, setBlocked] = useState(mailbox.blocked.join("\n"));
  const [keepsTexts, setKeepsTexts] = useState(mailbox.keep_bodies);
  const [chosen, setChosen] = useState<readonly string[] | null>(mailbox.folders.length > 0 ? mailbox.folders : null);
  const [removes, setRemoves] = useState<number | null>(null);
  const folders = useMailFolders(workspaceId, mailbox.id);
  const change = useChangeMailbox(workspaceId, mailbox.id);
  const hasNoFolder = chosen?.length === 0;

  const { submit, busy, problem } = useSubmit(async () => {
    const changes = { contacts, blocked: blockedIn(blocked), keep_bodies: keepsTexts };
    if (removes === null) {
      const { removed } = await change.mutateAsync({ ...changes, dry_run: true });
      if (removed > 0) return setRemoves(removed);
    }
    await change.mutateAsync({ ...changes, ...(folders.data ? { folders: [...(chosen ?? [])] } : {}) });
    toast.success(`${mailbox.address} is changed.`);
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={`What is read from ${mailbox.address}`}
        description="Applies from now on. Mail that is already here stays, except mail with people you block."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {folders.isPending ? (
              <Loading label="Loading the folders">
                <SkeletonText lines={3} />
              </Loading>
            ) : null}
            <LoadProblem title="The folders could not be loaded" query={folders} className="px-0" />
            {folders.data ? (
              <MailboxFolders folders={folders.data.folders} chosen={chosen} onChange={setChosen} />
            ) : null}
            <ContactsField value={contacts} onChange={setContacts} />
            <TextsField value={keepsTexts} onChange={setKeepsTexts} />
            <BlockedField
              value={blocked}
              onChange={(next) => {
                setBlocked(next);
                setRemoves(null);
              }}
            />
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem ?? (removes === null ? null : removalOf(removes))}
            </div>
          </DialogBody>
          <DialogSubmit
            label={removes === null ? "Save" : `Save and remove ${numeral(removes)}`}
            disabled={hasNoFolder}
            busy={busy}
          />
        </form>
      </DialogContent>
    </Dialog>
  );
}

const removalOf = (count: number): string =>
  `${count === 1 ? "One message" : `${numeral(count)} messages`} with those you block ${count === 1 ? "is" : "are"} here. Saving removes ${count === 1 ? "it" : "them"} from Rapport and from timelines; a colleague's own copies stay.`;
