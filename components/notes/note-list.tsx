"use client";

import type { ReactNode } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#components/ui/skeleton.tsx";
import { NoteRow, type ShownNote } from "./note-row.tsx";

type NoteListProps = {
  workspaceId: string;
  label: string;
  notes: readonly ShownNote[];
  loading: boolean;
  error: unknown;
  onRetry: () => void;
  retrying: boolean;
  question?: string;
  withOwner?: boolean;
  onOpen: (id: string) => void;
  /** Absent: this is all. */
  onMore?: (() => void) | undefined;
  loadingMore?: boolean;
  empty: ReactNode;
};

/** Notes in a card, in each of the four states. */
export function NoteList(props: NoteListProps) {
  const { workspaceId, label, notes, question, withOwner, onOpen, onMore, loadingMore, empty } = props;
  if (props.loading) return <NotesSkeleton />;
  if (props.error && notes.length === 0) {
    const problem = problemOf(props.error);
    return (
      <Card>
        <ErrorState
          title="The notes could not be loaded"
          onRetry={props.onRetry}
          retrying={props.retrying}
          {...(problem.requestId ? { requestId: problem.requestId } : {})}
        >
          {problem.message}
        </ErrorState>
      </Card>
    );
  }
  if (notes.length === 0 && !onMore) return <Card>{empty}</Card>;
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
      {onMore ? (
        <Button onClick={onMore} loading={loadingMore ?? false}>
          Older notes
        </Button>
      ) : null}
    </div>
  );
}

export function NotesSkeleton() {
  return (
    <Loading label="Loading notes" className="divide-y rounded-lg border bg-card">
      {["a", "b", "c", "d"].map((row) => (
        <div key={row} className="flex flex-col gap-2 px-4 py-3">
          <Skeleton className="w-56" />
          <SkeletonText lines={2} />
        </div>
      ))}
    </Loading>
  );
}
