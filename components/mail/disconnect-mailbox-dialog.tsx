"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Mailbox, useDisconnectMailbox } from "./calls.ts";

type DisconnectMailboxDialogProps = { workspaceId: string; mailbox: Mailbox; onClose: () => void };

/** Asks what to do with the messages that came through a mailbox. */
export function DisconnectMailboxDialog({ workspaceId, mailbox, onClose }: DisconnectMailboxDialogProps) {
  const isConnected = mailbox.state !== "disconnected";
  const [messages, setMessages] = useState<"keep" | "remove">(isConnected ? "keep" : "remove");
  const [problem, setProblem] = useState<string | null>(null);
  const disconnect = useDisconnectMailbox(workspaceId, mailbox.id);
  const count = `${numeral(mailbox.kept)} ${mailbox.kept === 1 ? "message" : "messages"}`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    setProblem(null);
    try {
      await disconnect.mutateAsync(messages);
      toast.success(`${mailbox.address} is disconnected.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={`${isConnected ? "Disconnect" : "Remove"} ${mailbox.address}`}
        description="The password is deleted right away. Nothing changes at your mail provider."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label={`What came through it: ${count}`}>
              <RadioGroup<"keep" | "remove">
                value={messages}
                onValueChange={setMessages}
                options={[
                  {
                    value: "keep",
                    label: "Keep",
                    hint: "Seen by the same people as now.",
                    disabled: !isConnected,
                  },
                  {
                    value: "remove",
                    label: "Remove",
                    hint: "Their activities leave the timelines too. What a colleague's mailbox also has stays.",
                  },
                ]}
              />
            </Field>
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit label={isConnected ? "Disconnect" : "Remove"} busy={disconnect.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
