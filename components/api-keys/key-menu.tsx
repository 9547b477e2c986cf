"use client";

import { Ban, Ellipsis, Filter, RefreshCw, ShieldCheck } from "lucide-react";
import { approvalChoices } from "#components/approvals/modes.ts";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { ApprovalMode } from "#lib/core/plans.ts";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";

/** The actions on a key. */
export type Wish = "rotate" | "revoke" | "limit" | { approval: ApprovalMode };

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
        {approvalChoices
          .filter(({ value }) => value !== apiKey.approval)
          .map(({ value, label }) => (
            <DropdownMenuItem key={value} onSelect={() => onWish({ approval: value })}>
              <ShieldCheck aria-hidden="true" /> {label}
            </DropdownMenuItem>
          ))}
        {apiKey.scopes.some((scope) => scope === "admin" || scope === "directory") ? null : (
          <DropdownMenuItem onSelect={() => onWish("limit")}>
            <Filter aria-hidden="true" /> Limits…
          </DropdownMenuItem>
        )}
        <DropdownMenuItem tone="danger" onSelect={() => onWish("revoke")}>
          <Ban aria-hidden="true" /> Revoke…
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
