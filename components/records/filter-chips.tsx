"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { FilterEditor } from "./filter-editor.tsx";
import { filterWords } from "./filter-words.ts";
import type { Filter, Place, PlaceValue } from "./list-kind.ts";
import { useRecordName } from "./record-name.ts";
import type { SetPlace } from "./use-place.ts";

type FilterChipsProps = {
  workspaceId: string;
  filters: readonly Filter[];
  place: Place;
  setPlace: SetPlace;
  onClear: () => void;
};

type Applied = { filter: Filter; value: PlaceValue; replace: (value: PlaceValue) => void };

/** The active filters, each of which can be changed or removed. */
export function FilterChips({ workspaceId, filters, place, setPlace, onClear }: FilterChipsProps) {
  const applied = filters.flatMap((filter) => appliedOf(filter, place, setPlace));
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {applied.map((each) => (
        <li key={`${each.filter.id} ${each.value}`} className="max-w-full">
          <FilterChip {...each} workspaceId={workspaceId} />
        </li>
      ))}
      {applied.length > 1 ? (
        <li>
          <Button variant="ghost" size="sm" onClick={onClear}>
            Clear all
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

/** There may be several property filters. */
function appliedOf(filter: Filter, place: Place, setPlace: SetPlace): Applied[] {
  const value = place[filter.id] ?? null;
  if (filter.kind !== "property") {
    return value === null ? [] : [{ filter, value, replace: (next) => setPlace({ [filter.id]: next }) }];
  }
  const items = Array.isArray(value) ? value : [];
  return items.map((item) => ({
    filter,
    value: item,
    replace: (next) => {
      const left = items.flatMap((each) => (each !== item ? [each] : typeof next === "string" ? [next] : []));
      setPlace({ [filter.id]: left.length > 0 ? left : null });
    },
  }));
}

type FilterChipProps = Applied & { workspaceId: string };

function FilterChip({ filter, value, replace, workspaceId }: FilterChipProps) {
  const [open, setOpen] = useState(false);
  const company = useRecordName(workspaceId, filter.kind === "company" ? String(value) : null);
  const words = filterWords(filter, value, company);
  return (
    <span className="inline-flex h-7 max-w-full items-center rounded-md border border-border-strong bg-card text-sm">
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger className="h-full truncate rounded-l-md pr-1 pl-2 hover:bg-hover focus-visible:-outline-offset-2">
          {words}
        </PopoverTrigger>
        <PopoverContent aria-label={`Change the filter ${words}`}>
          <FilterEditor
            workspaceId={workspaceId}
            filter={filter}
            value={value}
            onValue={(next) => {
              setOpen(false);
              replace(next);
            }}
          />
        </PopoverContent>
      </Popover>
      <button
        type="button"
        aria-label={`Remove the filter ${words}`}
        onClick={() => replace(null)}
        className="grid size-6 shrink-0 place-items-center rounded-xs text-muted-foreground hover:bg-hover hover:text-foreground focus-visible:-outline-offset-2"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  );
}
