"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

export type ChipChoice = { value: string; label: string };

type ChipMenuProps = {
  /** What it is, and of which record: "Status of Anna". */
  label: string;
  /** Null: there is none yet. */
  chip: { label: string; tone: BadgeProps["tone"] } | null;
  /** Shown when there is none. */
  empty?: string;
  value: string;
  choices: readonly ChipChoice[];
  onValue: (value: string) => void;
};

/** A chip that is changed in place. The menu is rendered only once it is opened: a list has many rows. */
export function ChipMenu({ label, chip, empty = "–", value, choices, onValue }: ChipMenuProps) {
  const [wanted, setWanted] = useState<"pointer" | "key" | null>(null);
  const badge = (
    <button
      type="button"
      data-writes="shown"
      aria-label={`${label}: ${chip?.label ?? "none"}. Change`}
      aria-haspopup="menu"
      onClick={wanted ? undefined : (event) => setWanted(event.detail > 0 ? "pointer" : "key")}
      className="group/chip relative z-1 inline-flex h-7 min-w-7 max-w-full items-center gap-1 rounded-xs"
    >
      {chip ? <Badge tone={chip.tone}>{chip.label}</Badge> : <span className="text-muted-foreground">{empty}</span>}
      <ChevronDown
        aria-hidden="true"
        className="size-3.5 shrink-0 text-muted-foreground opacity-0 group-hover/chip:opacity-100 group-focus-visible/chip:opacity-100 pointer-coarse:opacity-100"
      />
    </button>
  );
  if (!wanted) return badge;
  return (
    <DropdownMenu defaultOpen byPointer={wanted === "pointer"}>
      <DropdownMenuTrigger asChild>{badge}</DropdownMenuTrigger>
      <ChipChoices value={value} choices={choices} onValue={onValue} />
    </DropdownMenu>
  );
}

/** The choices, as the content of a menu. */
export function ChipChoices({
  value,
  choices,
  onValue,
}: Pick<ChipMenuProps, "choices" | "onValue"> & { value?: string }) {
  return (
    <DropdownMenuContent align="start" className="min-w-40">
      <DropdownMenuRadioGroup
        value={value ?? ""}
        onValueChange={(next) => (next === value ? undefined : onValue(next))}
      >
        {choices.map((choice) => (
          <DropdownMenuRadioItem key={choice.value} value={choice.value}>
            {choice.label}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </DropdownMenuContent>
  );
}
