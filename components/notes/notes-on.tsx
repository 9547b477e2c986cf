"use client";

import { FileText, Plus } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NoteList } from "./note-list.tsx";
import { shownOf, useNotes } from "./use-notes.ts";

type NotesOnProps = {
  workspaceId: string;
  focus: string;
  /** Filters the notes, for a page that shows the past. */
  accepts?: (note: { date: string; created_at: string }) => boolean;
  onOpen: (id: string) => void;
  /** Absent where no note can be added. */
  onAdd?: (() => void) | undefined;
  example: string;
};

/** The notes on one person or company. */
export function NotesOn({ workspaceId, focus, accepts, onOpen, onAdd, example }: NotesOnProps) {
  const query = useNotes(workspaceId, { focus }, null);
  const notes = query.notes.filter(
    (note) => !accepts || accepts({ date: note.metadata.date, created_at: note.created_at }),
  );
  const add = onAdd ? (
    <Button data-writes onClick={onAdd} className="self-start">
      <Plus aria-hidden="true" /> Add note
    </Button>
  ) : null;
  return (
    <div className="flex flex-col gap-3">
      {notes.length > 0 ? add : null}
      <NoteList
        workspaceId={workspaceId}
        label="Notes"
        notes={notes.map(shownOf)}
        query={query}
        onOpen={onOpen}
        empty={
          <EmptyState
            icon={<FileText />}
            action={add}
            {...(onAdd ? { example: { label: "What an agent sends", code: example } } : {})}
          >
            {onAdd
              ? "Briefs, transcripts and research appear here in full. Search finds them by meaning."
              : "There was no note by then."}
          </EmptyState>
        }
      />
    </div>
  );
}
