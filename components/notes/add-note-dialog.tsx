"use client";

import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { type Problem, problemOf } from "#components/records/problem.ts";
import { RecordPicker } from "#components/records/record-picker.tsx";
import { Refusal } from "#components/records/refusal.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Note, type NoteType, noteCallsOf, notesKey } from "./calls.ts";
import { noteTypeOptions } from "./note-types.ts";

type Owner = { id: string; name: string };
type AddNoteDialogProps = {
  workspaceId: string;
  owner?: Owner;
  /** The note that is corrected. */
  corrects?: Note["note"];
  onSaved?: (id: string) => void;
  onClose: () => void;
};

const today = () => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** Adds a note to a person or company, or a new version of one. Nothing that is saved is changed later. */
export function AddNoteDialog({ workspaceId, owner: given, corrects, onSaved, onClose }: AddNoteDialogProps) {
  const [owner, setOwner] = useState<Owner | null>(given ?? null);
  const [type, setType] = useState<NoteType>(corrects?.metadata.doc_type ?? "note");
  const [title, setTitle] = useState(corrects?.metadata.title ?? "");
  const [firstDate] = useState(() => corrects?.metadata.date.slice(0, 10) ?? today());
  const [date, setDate] = useState(firstDate);
  const [content, setContent] = useState(corrects?.content ?? "");
  const [problem, setProblem] = useState<(Problem & { field: string | null }) | null>(null);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const on = (field: string) => (problem?.field === field ? problem.message : undefined);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || owner === null) return;
    if (content.trim() === "") return setProblem({ field: "content", message: "Enter some text." });
    setProblem(null);
    setBusy(true);
    try {
      const { note } = await noteCallsOf(workspaceId).save({
        focus: owner.id,
        content,
        type,
        ...(title.trim() ? { title: title.trim() } : {}),
        ...(date && date !== firstDate ? { date } : {}),
        ...(corrects ? { supersedes: corrects.id } : {}),
      });
      await queries.invalidateQueries({ queryKey: notesKey(workspaceId) });
      toast.success(corrects ? "Correction saved." : `Note on ${owner.name} saved.`);
      onSaved?.(note.id);
      onClose();
    } catch (error) {
      const parameter = error instanceof ApiError ? String(error.extras.parameter ?? "") : "";
      setProblem({ field: parameter || null, ...problemOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title={corrects ? "Correct the note" : "Add a note"}
        description={
          corrects
            ? "The new version takes its place. The old one stays in the history."
            : "Saved in full and searchable at once."
        }
        size="md"
      >
        {owner === null ? (
          <DialogBody>
            <RecordPicker workspaceId={workspaceId} types={["person", "company"]} label="About" onPick={setOwner} />
          </DialogBody>
        ) : (
          <form onSubmit={submit} noValidate>
            <DialogBody>
              <p className="flex h-7 items-center gap-1.5 text-muted-foreground">
                On <span className="truncate font-medium text-foreground">{owner.name}</span>
                {given ? null : (
                  <IconButton label="Choose someone else" size="sm" onClick={() => setOwner(null)}>
                    <X aria-hidden="true" />
                  </IconButton>
                )}
              </p>
              <div className="grid gap-4 sm:grid-cols-2">
                <Field label="Type">
                  <Select options={noteTypeOptions} value={type} onValueChange={setType} />
                </Field>
                <Field label="Date" error={on("date")}>
                  <Input type="date" value={date} onChange={(event) => setDate(event.target.value)} />
                </Field>
              </div>
              <Field label="Title" error={on("title")} optional>
                <Input
                  value={title}
                  maxLength={200}
                  onChange={(event) => setTitle(event.target.value)}
                  autoComplete="off"
                />
              </Field>
              <Field label="Text" error={on("content")} required>
                <Textarea
                  autoFocus
                  dir="auto"
                  rows={corrects ? 14 : 8}
                  value={content}
                  onChange={(event) => setContent(event.target.value)}
                />
              </Field>
              <Refusal problem={["content", "title", "date"].includes(problem?.field ?? "") ? null : problem} />
            </DialogBody>
            <DialogSubmit label={corrects ? "Save correction" : "Save note"} busy={busy} />
          </form>
        )}
      </DialogContent>
    </Dialog>
  );
}
