"use client";

import { CircleHelp, LogOut, UserRound } from "lucide-react";
import Link from "next/link";
import { Avatar } from "#components/ui/avatar.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { FrameUser } from "./frame.ts";
import { showPanel } from "./panels.ts";
import { signOut } from "./sign-out.ts";

export function UserMenu({ user, workspaceId }: { user: FrameUser; workspaceId: string }) {
  const name = user.name || user.email;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger aria-label={`Account: ${name}`} className="grid size-8 place-items-center rounded-full">
        <Avatar name={name} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-56">
        <div className="px-2 py-1.5">
          {user.name ? <p className="truncate font-medium">{user.name}</p> : null}
          <p className="truncate text-muted-foreground text-sm">{user.email}</p>
        </div>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href={`/${workspaceId}/settings`}>
            <UserRound aria-hidden="true" /> Profile and settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem shortcut="?" onSelect={() => showPanel("help")}>
          <CircleHelp aria-hidden="true" /> Help and shortcuts
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden="true" /> Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
