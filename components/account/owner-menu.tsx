"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, UserRound } from "lucide-react";
import { memberName, membersOf } from "#components/records/members.ts";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

type OwnerMenuProps = {
  workspaceId: string;
  /** The owner's e-mail address; null: no one. */
  owner: string | null;
  /** Absent: it can only be read. */
  onOwner?: ((owner: string | null) => void) | undefined;
};

const NO_ONE = "none";

/** Who owns the record, and the members to choose from. */
export function OwnerMenu({ workspaceId, owner, onOwner }: OwnerMenuProps) {
  const { data, error } = useQuery(membersOf(workspaceId));
  const members = data?.members ?? [];
  const member = members.find(({ email }) => email === owner);
  const label = owner === null ? "No owner" : member ? memberName(member) : owner;
  if (!onOwner) return <span className="flex items-center gap-1.5 text-muted-foreground text-sm">Owner: {label}</span>;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          data-writes="shown"
          variant="ghost"
          size="sm"
          aria-label={`Owner: ${label}. Change`}
          className="max-w-56"
        >
          <UserRound aria-hidden="true" /> <span className="truncate">{label}</span>
          <ChevronDown aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="max-h-80 min-w-48 overflow-y-auto">
        <DropdownMenuRadioGroup
          value={owner ?? NO_ONE}
          onValueChange={(next) => (next === (owner ?? NO_ONE) ? undefined : onOwner(next === NO_ONE ? null : next))}
        >
          <DropdownMenuRadioItem value={NO_ONE}>No owner</DropdownMenuRadioItem>
          {owner !== null && !member && !error ? (
            <DropdownMenuRadioItem value={owner}>{owner}</DropdownMenuRadioItem>
          ) : null}
          {members.map((each) => (
            <DropdownMenuRadioItem key={each.email} value={each.email}>
              {memberName(each)}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
