"use client";

import { useState } from "react";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Retention, useSetRetention } from "./delivery-calls.ts";

type RetentionDialogProps = { workspaceId: string; retention: Retention; onClose: () => void };

/** The same as in the contract; importing that would bring zod into the page. */
const MOST_DAYS = 365;

/** The workspace's own number of days, or empty for the server's default. */
export function RetentionDialog({ workspaceId, retention, onClose }: RetentionDialogProps) {
  const { days, default_days, is_default } = retention;
  const [text, setText] = useState(is_default ? "" : String(days));
  const save = useSetRetention(workspaceId);

  const { submit, busy, problem, setProblem } = useSubmit(async (refuse) => {
    const wanted = text.trim() === "" ? null : /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
    if (wanted !== null && (wanted < 1 || wanted > MOST_DAYS))
      return refuse(`Enter a whole number from 1 to ${MOST_DAYS}, or leave it empty.`);
    await save.mutateAsync(wanted);
    toast.success("Retention saved.");
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="How long deliveries are kept"
        description="Older ones are deleted for good within the hour. Deliveries that are not processed yet stay, and so does everything they added."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field
              label="Days"
              hint={`From 1 to ${MOST_DAYS}. Empty: ${default_days}, the server's default.`}
              error={problem ?? undefined}
            >
              <Input
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  setProblem(null);
                }}
                placeholder={String(default_days)}
                inputMode="numeric"
                autoComplete="off"
                className="w-24"
              />
            </Field>
          </DialogBody>
          <DialogSubmit label="Save" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
