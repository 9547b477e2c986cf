import type { Metadata } from "next";
import { Suspense } from "react";
import { examplesFor } from "#components/account/examples.ts";
import { ImportButton } from "#components/imports/import-button.tsx";
import { AddNoteButton } from "#components/notes/add-note-button.tsx";
import { listFilterOf, notesAddress } from "#components/notes/address.ts";
import { NotesPage } from "#components/notes/notes-page.tsx";
import { NotesSkeleton } from "#components/notes/notes-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { listNotes } from "#lib/domain/knowledge/notes/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Notes" };

type Props = { params: Promise<{ workspace: string }>; searchParams: Promise<SearchParams> };

const readPlace = async (search: Promise<SearchParams>) => readState(notesAddress, await search);

export default async function Notes({ params, searchParams }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader
        title="Notes"
        actions={
          <>
            <ImportButton workspaceId={caller.workspaceId} kind="notes" />
            <AddNoteButton />
          </>
        }
      />
      <Suspense fallback={<NotesSkeleton />}>
        <Content caller={caller} searchParams={searchParams} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller, searchParams }: { caller: PageMember["caller"] } & Pick<Props, "searchParams">) {
  const [place, origin] = await Promise.all([readPlace(searchParams), addressOfPage()]);
  const first = place.q ? null : await firstPage(caller, listFilterOf(place));
  return (
    <NotesPage workspaceId={caller.workspaceId} first={first} example={examplesFor(origin, "anna@acme.com").note} />
  );
}

/** Null when the list refuses the filters in the address: the browser then asks itself and shows why. */
async function firstPage(caller: PageMember["caller"], filter: ReturnType<typeof listFilterOf>) {
  const page = await unlessRefused(listNotes.execute(caller, filter));
  return page && { filter, page, readAt: Date.now() };
}
