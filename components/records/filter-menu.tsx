"use client";

import { ArrowLeft, ListFilter } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { walkByArrows, walked } from "./arrow-walk.ts";
import { FilterEditing } from "./filter-editing.tsx";
import { filtersLike } from "./filter-values.ts";
import type { Filter } from "./list-kind.ts";
import { inSentence } from "./names.ts";

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
          <FilterChoice filters={filters} onFilter={setChosen} />
        )}
      </PopoverContent>
    </Popover>
  );
}

type FilterChoiceProps = { filters: readonly Filter[]; onFilter: (filter: Filter) => void };

/** The filters there are; typing narrows them down, and Enter takes the first. */
function FilterChoice({ filters, onFilter }: FilterChoiceProps) {
  const [text, setText] = useState("");
  const found = filtersLike(filters, text);
  return (
    <search
      onKeyDown={walkByArrows}
      className="flex max-h-[calc(var(--radix-popover-content-available-height)-0.5rem)] flex-col gap-1"
    >
      <Input
        {...walked}
        autoFocus
        aria-label="Find a filter"
        placeholder="Find a filter"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== "Enter" || text.trim() === "" || !first) return;
          event.preventDefault();
          onFilter(first);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <ul aria-label="Filters" className="flex min-h-0 flex-col overflow-y-auto">
        {found.map((filter) => (
          <li key={filter.label}>
            <Button
              {...walked}
              variant="ghost"
              className="w-full justify-start px-2 font-normal"
              onClick={() => onFilter(filter)}
            >
              {filter.label}
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="px-2 pb-1 text-muted-foreground text-sm empty:hidden">
        {found.length === 0 ? "No filter has that name." : null}
      </p>
    </search>
  );
}
