import { NotesSkeleton } from "#components/notes/note-list.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function NotesLoading() {
  return (
    <Page>
      <PageHeader title="Notes" />
      <NotesSkeleton />
    </Page>
  );
}
