"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { FilterEditing } from "./filter-editing.tsx";
import { changeOf, valuesIn } from "./filter-values.ts";
import { filterWords } from "./filter-words.ts";
import type { Filter, Place, PlaceValue } from "./list-kind.ts";
import { useMemberName } from "./member-name.ts";
import { listTestOf } from "./property-test.ts";
import { useRecordName } from "./record-name.ts";
import { useDraft } from "./use-draft.ts";
import type { SetPlace } from "./use-place.ts";

type FilterChipsProps = {
  workspaceId: string;
  filters: readonly Filter[];
  place: Place;
  setPlace: SetPlace;
  onClear: () => void;
};

type ActiveFilter = { filter: Filter; value: PlaceValue; replace: (value: PlaceValue) => void };

/** The active filters, each of which can be changed or removed. */
export function FilterChips({ workspaceId, filters, place, setPlace, onClear }: FilterChipsProps) {
  const applied = filters.flatMap((filter) => appliedOf(filter, place, setPlace));
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {applied.map((each) => (
        <li key={`${each.filter.id} ${each.value}`} className="max-w-full">
          <FilterChip {...each} workspaceId={workspaceId} place={place} />
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

const appliedOf = (filter: Filter, place: Place, setPlace: SetPlace): ActiveFilter[] =>
  valuesIn(filter, place).map((value) => ({
    filter,
    value,
    replace: (next) => setPlace(changeOf(filter, place, value, next)),
  }));

type FilterChipProps = ActiveFilter & { workspaceId: string; place: Place };

function FilterChip({ filter, value, replace, workspaceId, place }: FilterChipProps) {
  const [open, setOpen] = useState(false);
  const companyId = filter.kind === "company" ? listTestOf(String(value)).values[0] : undefined;
  const company = useRecordName(workspaceId, companyId ?? null);
  const owner = useMemberName(workspaceId, filter, value);
  const words = filterWords(filter, value, company ?? owner);
  const draft = useDraft(replace);

  function change(next: boolean) {
    setOpen(next);
    if (!next) draft.leave();
  }
  return (
    <span className="inline-flex h-7 max-w-full items-center rounded-md border border-input bg-card text-sm">
      <Popover open={open} onOpenChange={change}>
        <PopoverTrigger className="h-full truncate rounded-l-md pr-1 pl-2 hover:bg-hover focus-visible:-outline-offset-2">
          {words}
        </PopoverTrigger>
        <PopoverContent
          aria-label={`Change the filter ${words}`}
          className="max-h-(--radix-popover-content-available-height) overflow-y-auto"
        >
          <FilterEditing
            workspaceId={workspaceId}
            filter={filter}
            place={place}
            value={value}
            onValue={(next) => {
              setOpen(false);
              draft.keep(null);
              replace(next);
            }}
            onDraft={draft.keep}
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
