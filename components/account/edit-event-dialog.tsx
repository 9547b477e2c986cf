"use client";

import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { wordsOf } from "#components/records/names.ts";
import { type Problem, problemOf } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { Event } from "./calls.ts";
import { localMinute } from "./days.ts";

type EditEventDialogProps = {
  event: Event;
  /** Throws when it is refused. */
  onSave: (event: Event, description: string | null, at: string) => Promise<void>;
  onClose: () => void;
};

type FieldName = "description" | "when";

/** Corrects what an activity says, and when it happened. The activity as it was recorded stays in the evidence. */
export function EditEventDialog({ event, onSave, onClose }: EditEventDialogProps) {
  const shownAt = localMinute(new Date(event.observed_at));
  const [description, setDescription] = useState(event.summary ?? "");
  const [when, setWhen] = useState(shownAt);
  const [problem, setProblem] = useState<(Problem & { field: FieldName | null }) | null>(null);
  const [busy, setBusy] = useState(false);
  const changed = description !== (event.summary ?? "") || when !== shownAt;
  const on = (field: FieldName) => (problem?.field === field ? problem.message : undefined);

  async function submit(submitted: FormEvent) {
    submitted.preventDefault();
    if (busy) return;
    if (!changed) return onClose();
    const at = new Date(when);
    if (Number.isNaN(at.getTime())) return setProblem({ field: "when", message: "Enter a day and a time." });
    if (event.type !== "meeting_scheduled" && when !== shownAt && at.getTime() > Date.now())
      return setProblem({
        field: "when",
        message: "That is in the future. Only a scheduled meeting can be.",
      });
    setProblem(null);
    setBusy(true);
    try {
      // Seconds are not shown; a time that was not changed keeps them.
      await onSave(event, description.trim() || null, when === shownAt ? event.observed_at : at.toISOString());
      onClose();
    } catch (error) {
      setProblem({ field: fieldOf(error), ...problemOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title={`Correct: ${wordsOf(event.type)}`} description="The first version stays in the evidence.">
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label="What happened" error={on("description")}>
              <Textarea
                autoFocus
                dir="auto"
                rows={3}
                maxLength={2_000}
                value={description}
                onChange={({ target }) => setDescription(target.value)}
              />
            </Field>
            <Field label="When" error={on("when")} className="sm:w-56">
              <Input type="datetime-local" value={when} onChange={({ target }) => setWhen(target.value)} />
            </Field>
            <Refusal problem={problem?.field ? null : problem} />
          </DialogBody>
          <DialogSubmit label="Save" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** The field that the error is about. */
function fieldOf(error: unknown): FieldName | null {
  if (!(error instanceof ApiError)) return null;
  if (error.extras.parameter === "occurred_at") return "when";
  return error.extras.parameter === "description" ? "description" : null;
}
