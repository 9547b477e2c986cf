"use client";

import { useQuery } from "@tanstack/react-query";
import { PencilLine } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { sourceWords } from "#components/records/names.ts";
import { useRecordName } from "#components/records/record-name.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { AddNoteDialog } from "./add-note-dialog.tsx";
import { noteCallsOf, notesKey } from "./calls.ts";
import { LONGEST_FORMATTED, Markdown, Plain } from "./markdown.tsx";
import { NoteDate } from "./note-date.tsx";
import { noteTitle, noteTypeLabels } from "./note-types.ts";
import { NoteVersions } from "./note-versions.tsx";

type NoteSheetProps = {
  workspaceId: string;
  id: string;
  question?: string;
  /** Opens another version of the note. */
  onOpen: (id: string) => void;
  /** A correction was saved. */
  onSaved?: () => void;
  onClose: () => void;
};

/** Longer notes get no marked words, which would be slow. */
const MARKED = 50_000;

/** A note in full: its Markdown formatted, or the exact text that was saved. */
export function NoteSheet({ workspaceId, id, question = "", onOpen, onSaved, onClose }: NoteSheetProps) {
  const query = useQuery({
    queryKey: [...notesKey(workspaceId), "note", id],
    queryFn: ({ signal }) => noteCallsOf(workspaceId).get(id, signal),
  });
  const note = query.data?.note;
  const versions = query.data?.versions ?? [];
  const newest = versions.find(({ current }) => current);
  const [asWritten, setAsWritten] = useState(false);
  const [correcting, setCorrecting] = useState(false);
  const [historyOf, setHistoryOf] = useState<string | null>(null);
  const text = useRef<HTMLDivElement>(null);
  const marked = note && note.content.length <= MARKED ? question : "";
  // The words are at different places in the formatted and the plain text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asWritten changes what the element shows
  useEffect(() => {
    if (marked && text.current) bestMark(text.current)?.scrollIntoView({ block: "center" });
  }, [marked, asWritten]);
  const owner = useRecordName(workspaceId, note?.entity_id ?? null);
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent
        title={note ? noteTitle(note.metadata.title, note.metadata.doc_type) : "Note"}
        className="w-[min(44rem,calc(100vw-1.5rem))]"
      >
        <SheetBody className="flex flex-col gap-4">
          {query.isPending ? (
            <Loading label="Loading the note">
              <SkeletonText lines={10} />
            </Loading>
          ) : null}
          <LoadProblem title="The note could not be loaded" query={query} className="px-0" />
          {note ? (
            <>
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-sm">
                <Link
                  href={`/${workspaceId}/accounts/${note.entity_id}`}
                  className="rounded-xs text-primary-text hover:underline"
                >
                  {owner ?? "…"}
                </Link>
                <span aria-hidden="true">·</span>
                {noteTypeLabels[note.metadata.doc_type]}
                <span aria-hidden="true">·</span>
                <NoteDate date={note.metadata.date} />
                <span aria-hidden="true">·</span>
                <span>
                  {sourceWords(note.source)}, saved <RelativeTime value={note.created_at} />
                </span>
                <span className="ml-auto flex flex-wrap items-center gap-1">
                  {versions.length > 1 ? (
                    <Button
                      variant="ghost"
                      size="sm"
                      aria-pressed={historyOf === id}
                      onClick={() => setHistoryOf(historyOf === id ? null : id)}
                    >
                      {versions.length} versions
                    </Button>
                  ) : null}
                  {note.content.length > LONGEST_FORMATTED ? null : (
                    <Button variant="ghost" size="sm" aria-pressed={asWritten} onClick={() => setAsWritten(!asWritten)}>
                      Text as written
                    </Button>
                  )}
                  <CopyButton text value={note.content} label="Copy text" size="sm" />
                  {newest?.id === id ? (
                    <Button data-writes size="sm" aria-haspopup="dialog" onClick={() => setCorrecting(true)}>
                      <PencilLine aria-hidden="true" /> Correct
                    </Button>
                  ) : null}
                </span>
              </div>
              {newest && newest.id !== id ? <Outdated at={newest.created_at} onOpen={() => onOpen(newest.id)} /> : null}
              {historyOf === id ? (
                <NoteVersions workspaceId={workspaceId} versions={versions} />
              ) : (
                <div dir="auto" ref={text}>
                  {asWritten ? (
                    <Plain text={note.content} question={marked} />
                  ) : (
                    <Markdown text={note.content} question={marked} />
                  )}
                </div>
              )}
              {correcting ? (
                <AddNoteDialog
                  workspaceId={workspaceId}
                  owner={{ id: note.entity_id, name: owner ?? "this record" }}
                  corrects={note}
                  onSaved={(saved) => {
                    onSaved?.();
                    onOpen(saved);
                  }}
                  onClose={() => setCorrecting(false)}
                />
              ) : null}
            </>
          ) : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

function Outdated({ at, onOpen }: { at: string; onOpen: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <span>
        This version was corrected <RelativeTime value={at} />.
      </span>
      <Button size="sm" onClick={onOpen}>
        Open the current one
      </Button>
    </p>
  );
}

/** The height of a passage, in pixels. */
const PASSAGE = 120;

/** The first marked word of the passage with the most marked words. */
function bestMark(element: HTMLElement): HTMLElement | undefined {
  const marks = [...element.querySelectorAll("mark")];
  const tops = marks.map((mark) => mark.getBoundingClientRect().top);
  const near = (top: number) => tops.filter((other) => other >= top && other < top + PASSAGE).length;
  const counts = tops.map(near);
  return marks[counts.indexOf(Math.max(...counts))];
}
