"use client";

import Link from "next/link";
import { useRecordName } from "#components/records/record-name.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { NoteType } from "./calls.ts";
import { Highlighted } from "./highlighted.tsx";
import { NoteDate } from "./note-date.tsx";
import { noteTitle, noteTypeLabels } from "./note-types.ts";

export type ShownNote = {
  id: string;
  entity_id: string;
  type: NoteType;
  title: string | null;
  date: string;
  snippet: string;
};

type NoteRowProps = {
  note: ShownNote;
  workspaceId: string;
  /** The question, whose words are marked in the passage. */
  question?: string;
  /** Shows who the note is about. */
  withOwner?: boolean;
  onOpen: () => void;
};

/** One note of a list: title, passage, who it is about and when. The whole row opens it. */
export function NoteRow({ note, workspaceId, question = "", withOwner, onOpen }: NoteRowProps) {
  return (
    <article className="relative flex flex-col gap-1 px-4 py-3 hover:bg-hover/60">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="min-w-0 truncate text-left font-medium after:absolute after:inset-0"
        >
          {noteTitle(note.title, note.type)}
        </button>
        {note.title ? <Badge>{noteTypeLabels[note.type]}</Badge> : null}
        <span className="relative z-1 ml-auto shrink-0 text-muted-foreground text-sm">
          <NoteDate date={note.date} />
        </span>
      </div>
      <p className="wrap-anywhere line-clamp-3 text-pretty text-muted-foreground">
        <Highlighted text={note.snippet} question={question} />
      </p>
      {withOwner ? <Owner workspaceId={workspaceId} id={note.entity_id} /> : null}
    </article>
  );
}

function Owner({ workspaceId, id }: { workspaceId: string; id: string }) {
  const name = useRecordName(workspaceId, id);
  return (
    <Link
      href={`/${workspaceId}/accounts/${id}?tab=notes`}
      prefetch={false}
      className="relative z-1 w-fit min-w-6 max-w-full truncate rounded-xs text-primary-text text-sm leading-6 hover:underline"
    >
      {name ?? "…"}
    </Link>
  );
}
