"use client";

import { ArrowLeft, ListFilter } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { keepTyping } from "#components/ui/typed-ahead.ts";
import { FilterChoice } from "./filter-choice.tsx";
import { FilterEditing } from "./filter-editing.tsx";
import type { Filter, Place } from "./list-kind.ts";
import { inSentence } from "./names.ts";
import { useDraft } from "./use-draft.ts";

type FilterMenuProps = {
  workspaceId: string;
  filters: readonly Filter[];
  place: Place;
  onFilter: (filter: Filter, value: string | boolean) => void;
};

/** Picks a filter, then its value. The arrow keys walk through both. */
export function FilterMenu({ workspaceId, filters, place, onFilter }: FilterMenuProps) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Filter | null>(null);
  const draft = useDraft((value) => (chosen ? onFilter(chosen, value) : undefined));

  function change(next: boolean) {
    setOpen(next);
    if (next) {
      keepTyping();
      setChosen(null);
    } else draft.leave();
  }

  function back() {
    draft.leave();
    setChosen(null);
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
            <Button variant="ghost" size="sm" className="-ml-1.5 self-start" onClick={back}>
              <ArrowLeft aria-hidden="true" /> {chosen.label}
            </Button>
            <FilterEditing
              workspaceId={workspaceId}
              filter={chosen}
              place={place}
              value={null}
              onValue={(value) => {
                draft.keep(null);
                onFilter(chosen, value);
                setOpen(false);
              }}
              onDraft={draft.keep}
            />
          </div>
        ) : (
          <FilterChoice
            workspaceId={workspaceId}
            filters={filters}
            onFilter={setChosen}
            onChoice={(filter, value) => {
              onFilter(filter, value);
              setOpen(false);
            }}
          />
        )}
      </PopoverContent>
    </Popover>
  );
}
