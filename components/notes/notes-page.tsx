"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileText, Plus, Search } from "lucide-react";
import { type ReactNode, useCallback, useRef } from "react";
import { ExportButton } from "#components/exports/export-button.tsx";
import { useCommands } from "#components/frame/commands.ts";
import { ListSearch } from "#components/records/list-search.tsx";
import { problemOf } from "#components/records/problem.ts";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { useQueryStates } from "#components/ui/use-query-state.ts";
import { filterOf, listFilterOf, notesAddress } from "./address.ts";
import { type NoteFilter, noteCallsOf, notesKey, type Span } from "./calls.ts";
import { NoteFilters } from "./note-filters.tsx";
import { NoteList } from "./note-list.tsx";
import { type FirstNotes, shownOf, useNotes } from "./use-notes.ts";

const NoteSheet = onDemand("The note", () => import("./note-sheet.tsx").then((module) => module.NoteSheet));
const AddNoteDialog = onDemand("“Add note”", () =>
  import("./add-note-dialog.tsx").then((module) => module.AddNoteDialog),
);

type NotesPageProps = { workspaceId: string; first: FirstNotes | null; example: string };

/** All notes: the results of a question, or a list by date. */
export function NotesPage({ workspaceId, first, example }: NotesPageProps) {
  const [place, setPlace] = useQueryStates(notesAddress, { history: "push" });
  const hydrated = useHydrated();
  const searchInput = useRef<HTMLInputElement>(null);
  const question = place.q?.trim() ?? "";
  const onSearch = useCallback((q: string) => setPlace({ q: q || null }, { history: "replace" }), [setPlace]);
  const add = () => setPlace({ open: "new-note" });
  useCommands([
    {
      id: "notes-search",
      label: "Search the notes",
      group: "Notes",
      icon: Search,
      keys: "/",
      run: () => searchInput.current?.focus(),
    },
    { id: "notes-new", label: "Add a note", group: "Notes", hidden: true, icon: Plus, keys: "n", run: add },
  ]);
  const parts = { workspaceId, onOpen: (note: string) => setPlace({ note }) };
  const isFiltered = question !== "" || Boolean(place.type || place.about || place.from || place.to);
  const clear = () => setPlace({ q: null, type: null, about: null, from: null, to: null });
  const empty = isFiltered ? (
    <EmptyState icon={<FileText />} action={<Button onClick={clear}>Clear search and filters</Button>}>
      No note {question ? "answers this" : "is like this"}.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<FileText />}
      action={
        <Button data-writes variant="primary" onClick={add}>
          <Plus aria-hidden="true" /> Add note
        </Button>
      }
      example={{ label: "What an agent sends", code: example }}
      also={<SampleOffer />}
    >
      Transcripts, briefs and research on your people and companies, in full. Search finds them by meaning.
    </EmptyState>
  );

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ListSearch
          label="Ask or search the notes"
          className="md:w-112"
          value={place.q ?? ""}
          onSearch={onSearch}
          input={searchInput}
          onLeave={() => document.querySelector<HTMLElement>("#main article button")?.focus()}
        />
        <NoteFilters
          workspaceId={workspaceId}
          type={place.type}
          about={place.about}
          span={question ? null : { from: place.from, to: place.to }}
          onChange={(change) => setPlace(change)}
        />
        {question ? null : (
          <ExportButton
            workspaceId={workspaceId}
            wanted={{ what: "notes", filters: listFilterOf(place) }}
            className="ml-auto max-md:hidden"
          />
        )}
      </div>
      {question ? (
        <Found {...parts} filter={filterOf(place)} question={question} empty={empty} />
      ) : (
        <Listed {...parts} filter={listFilterOf(place)} first={first} empty={empty} />
      )}
      {place.note ? (
        <NoteSheet
          workspaceId={workspaceId}
          id={place.note}
          question={question}
          onOpen={(note) => setPlace({ note })}
          onClose={() => setPlace({ note: null })}
        />
      ) : null}
      {hydrated && place.open === "new-note" ? (
        <AddNoteDialog workspaceId={workspaceId} onClose={() => setPlace({ open: null })} />
      ) : null}
    </>
  );
}

type PartProps = {
  workspaceId: string;
  onOpen: (id: string) => void;
  empty: ReactNode;
};

/** The best notes for a question, with the passage that answers it. */
function Found({ workspaceId, filter, question, onOpen, empty }: PartProps & { filter: NoteFilter; question: string }) {
  const search = useQuery({
    queryKey: [...notesKey(workspaceId), "search", question, filter],
    queryFn: ({ signal }) => noteCallsOf(workspaceId).search(question, filter, signal),
    placeholderData: keepPreviousData,
  });
  const documents = search.data?.documents ?? [];
  return (
    <section aria-label="Results" className={search.isPlaceholderData ? "opacity-60" : undefined}>
      <p role="status" className="pb-2 text-muted-foreground text-sm">
        {search.data ? `${documents.length} ${documents.length === 1 ? "note" : "notes"}, best first. ` : ""}
        {search.data ? "A question may name a time, such as last week or in March." : ""}
        {search.data?.warning ? ` ${search.data.warning}` : ""}
        {search.error && search.data ? ` ${problemOf(search.error).message}` : ""}
      </p>
      <NoteList
        workspaceId={workspaceId}
        label="Notes found"
        notes={documents}
        question={question}
        withOwner
        query={search}
        onOpen={onOpen}
        empty={empty}
      />
    </section>
  );
}

type ListedProps = PartProps & { filter: NoteFilter & Span; first: FirstNotes | null };

/** Notes by date. */
function Listed({ workspaceId, filter, first, onOpen, empty }: ListedProps) {
  const query = useNotes(workspaceId, filter, first);
  return (
    <NoteList
      workspaceId={workspaceId}
      label="Notes"
      notes={query.notes.map(shownOf)}
      withOwner
      query={query}
      onOpen={onOpen}
      empty={empty}
    />
  );
}
