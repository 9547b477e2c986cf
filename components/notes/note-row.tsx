"use client";

import Link from "next/link";
import { threadPath } from "#components/mail/thread-path.ts";
import { useRecordName } from "#components/records/record-name.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Highlighted } from "./highlighted.tsx";
import { NoteDate } from "./note-date.tsx";
import { labelOf, noteTitle, type SearchedType } from "./note-types.ts";

export type ShownNote = {
  id: string;
  entity_id: string;
  type: SearchedType;
  title: string | null;
  date: string;
  snippet: string;
  /** Of an e-mail. */
  thread_id?: string | undefined;
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

/** One note or e-mail of a list: title, passage, who it is about and when. The whole row opens it. */
export function NoteRow({ note, workspaceId, question = "", withOwner, onOpen }: NoteRowProps) {
  return (
    <article className="relative flex flex-col gap-1 px-4 py-3 hover:bg-hover/60">
      <div className="flex items-center gap-2">
        {note.thread_id ? (
          <Link
            href={threadPath(workspaceId, note.entity_id, note.thread_id)}
            prefetch={false}
            className="min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {noteTitle(note.title, note.type)}
          </Link>
        ) : (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onOpen}
            className="min-w-0 truncate text-left font-medium after:absolute after:inset-0"
          >
            {noteTitle(note.title, note.type)}
          </button>
        )}
        {note.title ? <Badge>{labelOf(note.type)}</Badge> : null}
        <span className="relative z-1 ml-auto shrink-0 text-muted-foreground text-sm">
          <NoteDate date={note.date} />
        </span>
      </div>
      {note.snippet ? (
        <p className="wrap-anywhere line-clamp-3 text-pretty text-muted-foreground">
          <Highlighted text={note.snippet} question={question} />
        </p>
      ) : null}
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
