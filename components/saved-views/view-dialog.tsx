"use client";

import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";

/** The same as in the contract. */
const longest = 80;

type ViewName = { name: string; shared: boolean };

type ViewDialogProps = {
  title: string;
  description?: string;
  submit: string;
  initial: ViewName;
  onSave: (named: ViewName) => Promise<unknown>;
  onClose: () => void;
};

/** A view's name, and who sees it. */
export function ViewDialog({ title, description, submit, initial, onSave, onClose }: ViewDialogProps) {
  const [name, setName] = useState(initial.name);
  const [shared, setShared] = useState(initial.shared);
  const [problem, setProblem] = useState<{ ofName: boolean; message: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === "") return setProblem({ ofName: true, message: "Enter a name for the view." });
    setProblem(null);
    setBusy(true);
    try {
      await onSave({ name, shared });
      onClose();
    } catch (error) {
      const ofName = error instanceof ApiError && error.extras.parameter === "name";
      setProblem({ ofName, message: problemOf(error).message });
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title={title} description={description}>
        <form onSubmit={send} noValidate>
          <DialogBody>
            <Field label="Name" error={problem?.ofName ? problem.message : undefined}>
              <Input
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder="Quiet for two weeks"
                autoComplete="off"
                maxLength={longest}
              />
            </Field>
            <Field label="Who sees it">
              <RadioGroup
                options={[
                  { value: "mine", label: "Only me" },
                  { value: "shared", label: "Everyone in the workspace", hint: "They can change it too." },
                ]}
                value={shared ? "shared" : "mine"}
                onValueChange={(value) => setShared(value === "shared")}
              />
            </Field>
            <p role="alert" className="text-danger-text text-sm empty:hidden">
              {problem && !problem.ofName ? problem.message : null}
            </p>
          </DialogBody>
          <DialogSubmit label={submit} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
