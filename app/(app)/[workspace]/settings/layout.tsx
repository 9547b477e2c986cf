import type { ReactNode } from "react";
import { SettingsNav } from "#components/settings/settings-nav.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMember } from "#lib/auth/member.ts";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export default async function SettingsLayout({ params, children }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page width="text">
      <PageHeader title="Settings" />
      <SettingsNav workspaceId={caller.workspaceId} role={caller.role} />
      {children}
    </Page>
  );
}
