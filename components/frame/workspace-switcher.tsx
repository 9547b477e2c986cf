"use client";

import { Check, ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Avatar } from "#components/ui/avatar.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { FrameProps } from "./frame.ts";
import { useBelonging } from "./here.ts";
import { createWorkspaceHref, sameEntryIn } from "./nav.ts";

export function WorkspaceSwitcher({ workspace, workspaces }: Omit<FrameProps, "user">) {
  const pathname = usePathname();
  const belonging = useBelonging();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left font-medium transition-colors hover:bg-hover focus-visible:-outline-offset-2 data-[state=open]:bg-hover">
        <Avatar name={workspace.name} square size="sm" />
        <span className="min-w-0 flex-1 truncate">
          <span className="sr-only">Workspace: </span>
          {workspace.name}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-60">
        <DropdownMenuLabel>Workspaces</DropdownMenuLabel>
        {workspaces.map((each) => (
          <DropdownMenuItem key={each.id} asChild>
            <Link
              href={sameEntryIn(each.id, pathname, belonging)}
              aria-current={each.id === workspace.id ? "true" : undefined}
            >
              <Avatar name={each.name} square size="sm" />
              <span className="truncate">{each.name}</span>
              {each.id === workspace.id ? <Check aria-hidden="true" className="ml-auto" /> : null}
            </Link>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href={createWorkspaceHref}>
            <Plus aria-hidden="true" className="mx-0.5" />
            Create workspace
          </Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
