"use client";

import { ArrowLeft, ListFilter } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { walkByArrows, walked } from "./arrow-walk.ts";
import { FilterEditing } from "./filter-editing.tsx";
import type { Filter } from "./list-kind.ts";

type FilterMenuProps = {
  workspaceId: string;
  filters: readonly Filter[];
  onFilter: (filter: Filter, value: string | boolean) => void;
};

/** Picks a filter, then its value. The arrow keys walk through both. */
export function FilterMenu({ workspaceId, filters, onFilter }: FilterMenuProps) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Filter | null>(null);

  function change(next: boolean) {
    setOpen(next);
    if (next) setChosen(null);
  }

  return (
    <Popover open={open} onOpenChange={change}>
      <PopoverTrigger asChild>
        <Button>
          <ListFilter aria-hidden="true" /> Filter
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label={chosen ? `Filter by ${inSentence(chosen.label)}` : "Filter by"}
        className={chosen ? "max-h-(--radix-popover-content-available-height) overflow-y-auto p-3" : "w-56 p-1"}
      >
        {chosen ? (
          <div className="flex flex-col gap-2">
            <Button variant="ghost" size="sm" className="-ml-1.5 self-start" onClick={() => setChosen(null)}>
              <ArrowLeft aria-hidden="true" /> {chosen.label}
            </Button>
            <FilterEditing
              workspaceId={workspaceId}
              filter={chosen}
              value={null}
              onValue={(value) => {
                onFilter(chosen, value);
                setOpen(false);
              }}
            />
          </div>
        ) : (
          <ul
            onKeyDown={walkByArrows}
            className="flex max-h-[calc(var(--radix-popover-content-available-height)-0.5rem)] flex-col overflow-y-auto"
          >
            {filters.map((filter) => (
              <li key={filter.id}>
                <Button
                  {...walked}
                  variant="ghost"
                  className="w-full justify-start px-2 font-normal"
                  onClick={() => setChosen(filter)}
                >
                  {filter.label}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </PopoverContent>
    </Popover>
  );
}

/** A label within a sentence: "stage", and still "ICP score". */
const inSentence = (label: string): string =>
  /^[A-Z][a-z-]/.test(label) && !label.startsWith("LinkedIn") ? label.charAt(0).toLowerCase() + label.slice(1) : label;
