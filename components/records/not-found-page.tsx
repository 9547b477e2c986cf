"use client";

import { ArrowLeft, House, Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { showPanel } from "#components/frame/panels.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

type NotFoundPageProps = {
  /** What is not there, and why that may be. */
  children: ReactNode;
  /** The list in which it would be. */
  list?: { label: string; folder: string };
};

/** What is not there, inside the frame, with the ways on. */
export function NotFoundPage({ children, list }: NotFoundPageProps) {
  const workspaceId = usePathname().split("/")[1] ?? "";
  return (
    <Page>
      <PageHeader title="Not found" />
      <Card>
        <EmptyState
          action={
            <div className="flex flex-wrap gap-2">
              {list ? (
                <Button asChild>
                  <Link href={`/${workspaceId}/${list.folder}`}>
                    <ArrowLeft aria-hidden="true" /> {list.label}
                  </Link>
                </Button>
              ) : null}
              <Button asChild>
                <Link href={`/${workspaceId}/home`}>
                  <House aria-hidden="true" /> Home
                </Link>
              </Button>
              <Button aria-haspopup="dialog" onClick={() => showPanel("palette")}>
                <Search aria-hidden="true" /> Search
              </Button>
            </div>
          }
        >
          {children}
        </EmptyState>
      </Card>
    </Page>
  );
}
