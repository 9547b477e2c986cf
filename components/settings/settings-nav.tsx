"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { cn } from "#components/ui/cn.ts";
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
  { folder: "/plan", label: "Plan", role: "admin" },
  { folder: "/jobs", label: "Jobs", role: "admin" },
  { folder: "/audit-log", label: "Audit log", role: "admin" },
  { folder: "/delete", label: "Delete", role: "owner" },
] as const;

/** The pages of the settings; they look like tabs, but each is a page with its own address. */
export function SettingsNav({ workspaceId, role }: { workspaceId: string; role: Role }) {
  const pathname = usePathname();
  const root = `/${workspaceId}/settings`;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (pathname)
      list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <nav ref={list} aria-label="Settings" className="-mx-4 overflow-x-auto border-b px-4 md:mx-0 md:px-0">
      <ul className="flex gap-x-5 md:flex-wrap">
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
                    "flex h-9 items-center whitespace-nowrap rounded-xs border-transparent border-b-2 px-0.5 text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2",
                    here && "border-foreground font-medium text-foreground",
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
