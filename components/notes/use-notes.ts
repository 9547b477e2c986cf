import { useInfiniteQuery } from "@tanstack/react-query";
import { type NoteFilter, type NotesPage, noteCallsOf, notesKey, type Span } from "./calls.ts";
import type { ShownNote } from "./note-row.tsx";

export type FirstNotes = { filter: NoteFilter & Span; page: NotesPage; readAt: number };

/** Notes by date, the latest first, page by page. */
export function useNotes(workspaceId: string, filter: NoteFilter & Span, first: FirstNotes | null) {
  const isFirst = first !== null && JSON.stringify(first.filter) === JSON.stringify(filter);
  const query = useInfiniteQuery({
    queryKey: [...notesKey(workspaceId), "list", filter],
    queryFn: ({ pageParam, signal }) => noteCallsOf(workspaceId).list(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...(isFirst
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
  });
  const notes = (query.data?.pages ?? []).flatMap((page) => page.notes);
  return { ...query, notes };
}

export const shownOf = (note: NotesPage["notes"][number]): ShownNote => ({
  id: note.id,
  entity_id: note.entity_id,
  type: note.metadata.doc_type,
  title: note.metadata.title,
  date: note.metadata.date,
  snippet: note.snippet,
});
