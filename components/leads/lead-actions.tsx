"use client";

import { ListChecks, MessageSquareReply, Trash2 } from "lucide-react";
import { ChipChoices } from "#components/records/chip-menu.tsx";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import type { LeadChange } from "./calls.ts";
import { changeOfOutcome, changeOfStatus, outcomeChoices, statusChoices } from "./chips.tsx";

type LeadActionsProps = { onChange: (change: LeadChange) => void; onRemove: () => void };

/** What can be done with picked leads. */
export function LeadActions({ onChange, onRemove }: LeadActionsProps) {
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button data-writes variant="ghost">
            <ListChecks aria-hidden="true" /> Status
          </Button>
        </DropdownMenuTrigger>
        <ChipChoices choices={statusChoices} onValue={(value) => onChange(changeOfStatus(value))} />
      </DropdownMenu>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button data-writes variant="ghost">
            <MessageSquareReply aria-hidden="true" /> Outcome
          </Button>
        </DropdownMenuTrigger>
        <ChipChoices choices={outcomeChoices} onValue={(value) => onChange(changeOfOutcome(value))} />
      </DropdownMenu>
      <Button data-writes variant="ghost" onClick={onRemove}>
        <Trash2 aria-hidden="true" /> Remove
      </Button>
    </>
  );
}
