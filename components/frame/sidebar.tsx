"use client";

import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { usePendingCount } from "#components/approvals/pending-count.ts";
import { type PinnedView, usePinnedViews, viewHref } from "#components/saved-views/pinned.ts";
import { cn } from "#components/ui/cn.ts";
import type { FrameProps } from "./frame.ts";
import { useBelonging } from "./here.ts";
import { currentEntry, type NavEntry, nav, navGroups, navHref } from "./nav.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

export type SidebarProps = Omit<FrameProps, "user"> & {
  /** How many changes waited for approval when the server rendered this. */
  pending?: number;
  /** The views that were pinned then. */
  pinned?: readonly PinnedView[];
  onNavigate?: () => void;
};

export function Sidebar({ workspace, workspaces, pending, pinned, onNavigate }: SidebarProps) {
  const here = currentEntry(usePathname(), useBelonging());
  const waiting = usePendingCount(workspace.id, pending);
  const views = usePinnedViews(workspace.id, pinned);
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 items-center border-b px-2">
        <WorkspaceSwitcher workspace={workspace} workspaces={workspaces} />
      </div>
      <nav aria-label="Workspace" className="flex flex-1 flex-col gap-4 overflow-y-auto p-2">
        {navGroups.map((group) => (
          <ul key={group} className="flex flex-col gap-px">
            {nav
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.id}>
                  <NavLink
                    entry={entry}
                    href={navHref(entry, workspace.id)}
                    current={entry === here}
                    count={entry.id === "approvals" ? waiting : 0}
                    onNavigate={onNavigate}
                  />
                  <PinnedViews
                    label={entry.label}
                    views={views.filter(({ list }) => list === entry.id)}
                    workspaceId={workspace.id}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
          </ul>
        ))}
      </nav>
    </div>
  );
}

type NavLinkProps = {
  entry: NavEntry;
  href: string;
  current: boolean;
  /** How much waits there. */
  count: number;
  onNavigate: (() => void) | undefined;
};

/**
 * Prefetches its page once the pointer or the focus is on it: the scripts of all pages together are as large as a page.
 */
function NavLink({ entry, href, current, count, onNavigate }: NavLinkProps) {
  const [near, setNear] = useState(false);
  const Icon = entry.icon;
  const approach = () => setNear(true);
  return (
    <Link
      href={href}
      prefetch={near && !entry.href ? "auto" : false}
      onClick={onNavigate}
      onPointerEnter={approach}
      onFocus={approach}
      aria-current={current ? "page" : undefined}
      {...(entry.href ? { target: "_blank", rel: "noreferrer" } : {})}
      className={cn(
        "flex h-8 items-center gap-2.5 rounded-md px-2 text-muted-foreground transition-colors hover:bg-hover hover:text-foreground focus-visible:-outline-offset-2 max-md:h-10",
        current && "bg-selected font-medium text-foreground hover:bg-selected",
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{entry.label}</span>
      {count > 0 ? (
        <span className="ml-auto inline-flex h-5 min-w-5 items-center justify-center rounded-xs bg-primary-soft px-1.5 font-medium text-primary-text text-xs tabular-nums">
          {count > 99 ? "99+" : count}
          <span className="sr-only"> waiting</span>
        </span>
      ) : null}
      {entry.href ? (
        <>
          <ArrowUpRight aria-hidden="true" className="ml-auto size-3.5 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </>
      ) : null}
    </Link>
  );
}

type PinnedViewsProps = {
  label: string;
  views: readonly PinnedView[];
  workspaceId: string;
  onNavigate: (() => void) | undefined;
};

/** The pinned views of a list, under it. */
function PinnedViews({ label, views, workspaceId, onNavigate }: PinnedViewsProps) {
  const shown = useSearchParams().get("view");
  if (views.length === 0) return null;
  return (
    <ul aria-label={`Pinned views of ${label}`} className="ml-4 flex flex-col gap-px border-l pl-2">
      {views.map((view) => (
        <li key={view.id}>
          <Link
            href={viewHref(workspaceId, view)}
            prefetch={false}
            onClick={onNavigate}
            aria-current={view.id === shown ? "true" : undefined}
            className={cn(
              "flex h-7 items-center rounded-md px-2 text-muted-foreground text-sm transition-colors hover:bg-hover hover:text-foreground focus-visible:-outline-offset-2 max-md:h-10",
              view.id === shown && "font-medium text-foreground",
            )}
          >
            <span className="truncate">{view.name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
