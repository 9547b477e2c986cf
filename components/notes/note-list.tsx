"use client";

import type { ReactNode } from "react";
import { LoadProblem, type LoadState } from "#components/records/load-problem.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { NoteRow, type ShownNote } from "./note-row.tsx";
import { NotesSkeleton } from "./notes-skeleton.tsx";

type NoteListProps = {
  workspaceId: string;
  label: string;
  notes: readonly ShownNote[];
  query: LoadState & {
    isPending: boolean;
    /** Absent when there is no more. */
    hasNextPage?: boolean;
    isFetchingNextPage?: boolean;
    fetchNextPage?: () => unknown;
  };
  question?: string;
  withOwner?: boolean;
  onOpen: (id: string) => void;
  empty: ReactNode;
};

/** Notes in a card, in each of the four states. */
export function NoteList(props: NoteListProps) {
  const { workspaceId, label, notes, query, question, withOwner, onOpen, empty } = props;
  if (query.isPending) return <NotesSkeleton />;
  if (query.error && notes.length === 0)
    return <LoadProblem card title="The notes could not be loaded" query={query} />;
  if (notes.length === 0 && !query.hasNextPage) return <Card>{empty}</Card>;
  return (
    <div className="flex flex-col items-start gap-3">
      {notes.length > 0 ? (
        <ul aria-label={label} className="w-full divide-y rounded-lg border bg-card">
          {notes.map((note) => (
            <li key={note.id}>
              <NoteRow
                note={note}
                workspaceId={workspaceId}
                {...(question ? { question } : {})}
                {...(withOwner ? { withOwner } : {})}
                onOpen={() => onOpen(note.id)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button onClick={() => void query.fetchNextPage?.()} loading={query.isFetchingNextPage ?? false}>
          Older notes
        </Button>
      ) : null}
    </div>
  );
}
