"use client";

import { useRouter } from "next/navigation";
import { PageHeader } from "#components/ui/page-header.tsx";
import { AddLeadButton } from "./add-lead-button.tsx";
import type { LeadList } from "./calls.ts";
import { ListMenu } from "./list-menu.tsx";

/** The head of a list's page. */
export function ListTitle({ workspaceId, list }: { workspaceId: string; list: LeadList }) {
  const router = useRouter();
  return (
    <PageHeader
      breadcrumbs={[{ label: "Leads", href: `/${workspaceId}/leads` }, { label: list.name }]}
      title={list.name}
      actions={
        <>
          <AddLeadButton />
          <ListMenu
            workspaceId={workspaceId}
            list={list}
            onRenamed={() => router.refresh()}
            onDeleted={() => router.push(`/${workspaceId}/leads`)}
          />
        </>
      }
    />
  );
}
