"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { cn } from "#components/ui/cn.ts";
import { showCurrent } from "#components/ui/show-current.ts";
import { type Role, roleIncludes } from "#lib/core/plans.ts";

const pages = [
  { folder: "", label: "Profile" },
  { folder: "/members", label: "Members" },
  { folder: "/workspace", label: "Workspace" },
  { folder: "/stages", label: "Stages" },
  { folder: "/scoring", label: "ICP scoring" },
  { folder: "/connected-clients", label: "Connected clients" },
  { folder: "/data", label: "Export" },
  { folder: "/sample-data", label: "Sample data", role: "admin" },
  { folder: "/checks", label: "Checks" },
  { folder: "/plan", label: "Plan", role: "admin" },
  { folder: "/backups", label: "Backups", role: "admin" },
  { folder: "/jobs", label: "Jobs", role: "admin" },
  { folder: "/audit-log", label: "Audit log", role: "admin" },
  { folder: "/delete", label: "Delete", role: "owner" },
] as const;

/** The pages of the settings: a list beside them, on a narrow screen a strip above. */
export function SettingsNav({ workspaceId, role }: { workspaceId: string; role: Role }) {
  const pathname = usePathname();
  const root = `/${workspaceId}/settings`;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (list.current && pathname) showCurrent(list.current);
  }, [pathname]);
  return (
    <nav
      ref={list}
      aria-label="Settings"
      className="-mx-4 overflow-x-auto px-4 shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none] md:mx-0 md:px-0 lg:sticky lg:top-[calc(var(--sticky-top)+1.5rem)] lg:self-start lg:shadow-none"
    >
      <ul className="flex gap-x-5 lg:flex-col lg:gap-px">
        {pages
          .filter((page) => !("role" in page) || roleIncludes(role, page.role))
          .map(({ folder, label }) => {
            const href = `${root}${folder}`;
            const here = pathname === href;
            return (
              <li key={href}>
                <Link
                  href={href}
                  aria-current={here ? "page" : undefined}
                  className={cn(
                    "flex h-9 items-center whitespace-nowrap rounded-xs border-transparent border-b-2 px-0.5 text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2 lg:h-8 lg:rounded-md lg:border-0 lg:px-2 lg:hover:bg-hover",
                    here && "border-foreground font-medium text-foreground lg:bg-selected lg:hover:bg-selected",
                  )}
                >
                  {label}
                </Link>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}
