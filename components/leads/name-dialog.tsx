"use client";

import { type FormEvent, useState } from "react";
import { Refusal } from "#components/records/refusal.tsx";
import { useSending } from "#components/records/use-sending.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

type NameDialogProps = {
  title: string;
  submit: string;
  initial?: string;
  onName: (name: string) => Promise<unknown>;
  onClose: () => void;
};

/** The same as in the contract. */
const longest = 200;

/** Names a list. */
export function NameDialog({ title, submit, initial = "", onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const [missing, setMissing] = useState(false);
  const { problem, busy, send } = useSending();

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setMissing(name.trim() === "");
    if (name.trim() === "") return;
    await send(async () => {
      await onName(name.trim());
      onClose();
    });
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title={title}>
        <form onSubmit={save} noValidate>
          <DialogBody>
            <Field label="Name" error={missing ? "Enter a name for the list." : undefined}>
              <Input
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder="Fintech CFOs, DACH"
                autoComplete="off"
                maxLength={longest}
              />
            </Field>
            <Refusal problem={problem} />
          </DialogBody>
          <DialogSubmit label={submit} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
