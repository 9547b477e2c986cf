"use client";

import { Ban, Ellipsis, RefreshCw, ShieldCheck, ShieldOff } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";

/** The actions on a key. */
export type Wish = "rotate" | "revoke" | "approval";

export function KeyMenu({ apiKey, onWish }: { apiKey: ApiKey; onWish: (wish: Wish) => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Actions for ${apiKey.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem disabled={apiKey.replaced_by !== null} onSelect={() => onWish("rotate")}>
          <RefreshCw aria-hidden="true" /> Rotate…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onWish("approval")}>
          {apiKey.approval === "none" ? (
            <>
              <ShieldCheck aria-hidden="true" /> Require approval of writes
            </>
          ) : (
            <>
              <ShieldOff aria-hidden="true" /> Let it write without approval
            </>
          )}
        </DropdownMenuItem>
        <DropdownMenuItem tone="danger" onSelect={() => onWish("revoke")}>
          <Ban aria-hidden="true" /> Revoke…
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
