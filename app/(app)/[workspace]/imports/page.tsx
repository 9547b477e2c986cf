import type { Metadata } from "next";
import { Suspense } from "react";
import { ImportsPage } from "#components/imports/imports-page.tsx";
import { ImportsSkeleton } from "#components/imports/imports-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listMembers } from "#lib/domain/access/members/service.ts";
import { listImports } from "#lib/domain/workspace/imports/service.ts";

export const metadata: Metadata = { title: "Imports" };

type Props = { params: Promise<{ workspace: string }> };

export default async function Imports({ params }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader
        title="Imports"
        description="People, companies and notes from a CSV file. You see what it would do before anything is written."
      />
      <Suspense fallback={<ImportsSkeleton />}>
        <Content caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller }: { caller: PageMember["caller"] }) {
  const [initial, { members }] = await Promise.all([listImports.execute(caller, {}), listMembers.execute(caller, {})]);
  return (
    <ImportsPage
      workspaceId={caller.workspaceId}
      initial={initial}
      members={Object.fromEntries(members.map(({ user_id, name, email }) => [user_id, name ?? email]))}
    />
  );
}
