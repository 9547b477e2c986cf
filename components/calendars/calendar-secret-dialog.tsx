"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Calendar, useChangeCalendar } from "./calls.ts";
import { nameOf } from "./name-of.ts";

type CalendarSecretDialogProps = { workspaceId: string; calendar: Calendar; onClose: () => void };

/** A new password, or a new private address, for a calendar that cannot be read with the old one. */
export function CalendarSecretDialog({ workspaceId, calendar, onClose }: CalendarSecretDialogProps) {
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const change = useChangeCalendar(workspaceId, calendar.id);
  const isFeed = calendar.kind === "ics";
  const name = nameOf(calendar);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    setProblem(null);
    try {
      await change.mutateAsync(isFeed ? { address: secret.trim() } : { password: secret });
      toast.success(`${name} is read again.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={isFeed ? "New private address" : `New password of ${name}`}
        description="It is tried before it is kept."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label={isFeed ? "Private address" : "Password"} error={problem ?? undefined} required>
              <Input
                type="password"
                value={secret}
                autoComplete="off"
                data-1p-ignore
                onChange={(event) => setSecret(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogSubmit label="Save" disabled={secret.trim() === ""} busy={change.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
