"use client";

import { useQuery } from "@tanstack/react-query";
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
import { noteCallsOf, notesKey } from "./calls.ts";
import { LONGEST_FORMATTED, Markdown, Plain } from "./markdown.tsx";
import { NoteDate } from "./note-date.tsx";
import { noteTitle, noteTypeLabels } from "./note-types.ts";

type NoteSheetProps = { workspaceId: string; id: string; question?: string; onClose: () => void };

/** Longer notes get no marked words, which would be slow. */
const MARKED = 50_000;

/** A note in full: its Markdown formatted, or the exact text that was saved. */
export function NoteSheet({ workspaceId, id, question = "", onClose }: NoteSheetProps) {
  const query = useQuery({
    queryKey: [...notesKey(workspaceId), "note", id],
    queryFn: ({ signal }) => noteCallsOf(workspaceId).get(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const note = query.data?.note;
  const [asWritten, setAsWritten] = useState(false);
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
                <span className="ml-auto flex items-center gap-1">
                  {note.content.length > LONGEST_FORMATTED ? null : (
                    <Button variant="ghost" size="sm" aria-pressed={asWritten} onClick={() => setAsWritten(!asWritten)}>
                      Text as written
                    </Button>
                  )}
                  <CopyButton text value={note.content} label="Copy text" size="sm" />
                </span>
              </div>
              <div dir="auto" ref={text}>
                {asWritten ? (
                  <Plain text={note.content} question={marked} />
                ) : (
                  <Markdown text={note.content} question={marked} />
                )}
              </div>
            </>
          ) : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
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
