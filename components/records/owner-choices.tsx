"use client";

import { useQuery } from "@tanstack/react-query";
import { DropdownMenuContent, DropdownMenuItem } from "#components/ui/dropdown-menu.tsx";
import { memberName, membersOf, type Owner } from "./members.ts";

/** The members, as the content of a menu that gives records to one of them, or to no one. */
export function OwnerChoices({ workspaceId, onOwner }: { workspaceId: string; onOwner: (owner: Owner) => void }) {
  const { data, error } = useQuery(membersOf(workspaceId));
  return (
    <DropdownMenuContent align="start" className="max-h-80 min-w-48 overflow-y-auto">
      <DropdownMenuItem onSelect={() => onOwner(null)}>No owner</DropdownMenuItem>
      {error ? <DropdownMenuItem disabled>The members could not be loaded</DropdownMenuItem> : null}
      {(data?.members ?? []).map((member) => (
        <DropdownMenuItem key={member.email} onSelect={() => onOwner(member)}>
          {memberName(member)}
        </DropdownMenuItem>
      ))}
    </DropdownMenuContent>
  );
}
