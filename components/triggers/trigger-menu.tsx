"use client";

import { Ellipsis, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

export type TriggerWish = "edit" | "rotate" | "delete";

export function TriggerMenu({ onWish }: { onWish: (wish: TriggerWish) => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="More actions">
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => onWish("edit")}>
          <Pencil aria-hidden="true" /> Edit…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onWish("rotate")}>
          <RefreshCw aria-hidden="true" /> Rotate secret…
        </DropdownMenuItem>
        <DropdownMenuItem tone="danger" onSelect={() => onWish("delete")}>
          <Trash2 aria-hidden="true" /> Delete…
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
