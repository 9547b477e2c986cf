import type { ReactNode } from "react";
import { SettingsColumns } from "#components/settings/settings-columns.tsx";
import { SettingsNav } from "#components/settings/settings-nav.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMember } from "#lib/auth/member.ts";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export default async function SettingsLayout({ params, children }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader title="Settings" />
      <SettingsColumns nav={<SettingsNav workspaceId={caller.workspaceId} role={caller.role} />}>
        {children}
      </SettingsColumns>
    </Page>
  );
}
