"use client";

import { Ellipsis, KeyRound, Unplug } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

type ConnectionMenuProps = { name: string; change: string; onChange: () => void; onDisconnect: () => void };

/** The actions on a connection; `change` names what is replaced. */
export function ConnectionMenu({ name, change, onChange, onDisconnect }: ConnectionMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onChange}>
          <KeyRound aria-hidden="true" /> {change}
        </DropdownMenuItem>
        <DropdownMenuItem tone="danger" onSelect={onDisconnect}>
          <Unplug aria-hidden="true" /> Disconnect…
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
