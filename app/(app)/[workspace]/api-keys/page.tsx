import type { Metadata } from "next";
import { Suspense } from "react";
import { ApiKeys } from "#components/api-keys/api-keys.tsx";
import { KeysSkeleton } from "#components/api-keys/keys-skeleton.tsx";
import { MintButton } from "#components/api-keys/mint-button.tsx";
import { MintingDialog } from "#components/api-keys/minting-dialog.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listApiKeys } from "#lib/domain/access/api-keys/service.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const canManage = roleIncludes(caller.role, "admin");
  return (
    <Page>
      <PageHeader
        title="API keys"
        description="What agents and scripts sign in with. A key is shown once, when you create it."
        actions={canManage ? <MintButton /> : null}
      />
      <Suspense fallback={<KeysSkeleton />}>
        <Keys caller={caller} canManage={canManage} />
      </Suspense>
      {canManage ? <MintingDialog workspaceId={caller.workspaceId} /> : null}
    </Page>
  );
}

async function Keys({ caller, canManage }: { caller: PageMember["caller"]; canManage: boolean }) {
  const initial = await listApiKeys.execute(caller, {});
  return <ApiKeys workspaceId={caller.workspaceId} canManage={canManage} initial={initial} />;
}
