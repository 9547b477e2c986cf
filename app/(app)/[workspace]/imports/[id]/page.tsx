import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { ImportView } from "#components/imports/import-view.tsx";
import { Page } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { getImport } from "#lib/domain/workspace/imports/service.ts";

type Props = { params: Promise<{ workspace: string; id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { workspace, id } = await params;
  const { caller } = await requireMember(workspace);
  return { title: (await readImport(caller, id))?.name ?? "Not found" };
}

export default async function ImportPage({ params }: Props) {
  const { workspace, id } = await params;
  const { caller } = await requireMember(workspace);
  const initial = await readImport(caller, id);
  if (!initial) notFound();
  return (
    <Page>
      <ImportView key={initial.id} workspaceId={caller.workspaceId} initial={initial} />
    </Page>
  );
}

/** The import, or null when there is none; read once for the title and the page. */
const readImport = cache(async (caller: PageMember["caller"], id: string) => {
  const found = await unlessRefused(getImport.execute(caller, { id }));
  return found?.import ?? null;
});
