"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { takeTyped } from "#components/ui/typed-ahead.ts";
import { fold } from "#lib/text/fold.ts";
import { walkByArrows, walked } from "./arrow-walk.ts";
import { choicesLike, filtersLike } from "./filter-values.ts";
import type { Filter } from "./list-kind.ts";
import { usePropertyFilters } from "./use-properties.ts";

type FilterChoiceProps = {
  workspaceId: string;
  filters: readonly Filter[];
  onFilter: (filter: Filter) => void;
  onChoice: (filter: Filter, value: string) => void;
};

/** The filters there are, when typing also those by any property and single choices; Enter takes the first. */
export function FilterChoice({ workspaceId, filters, onFilter, onChoice }: FilterChoiceProps) {
  const [text, setText] = useState("");
  const properties = usePropertyFilters(workspaceId, filters);
  const rowsFor = (text: string) => {
    const typed = text.trim() !== "";
    const begins = ({ label }: { label: string }) => Number(typed && fold(label).startsWith(fold(text)));
    return [
      ...filtersLike(filters, text).map((filter) => ({ label: filter.label, take: () => onFilter(filter) })),
      ...(typed ? choicesLike(filters, text) : []).map(({ filter, choice }) => ({
        label: `${filter.label}: ${choice.label}`,
        take: () => onChoice(filter, choice.value),
      })),
      ...(typed ? filtersLike(properties, text) : []).map((filter) => ({
        label: filter.label,
        take: () => onFilter(filter),
      })),
    ].toSorted((a, b) => begins(b) - begins(a));
  };
  const rows = rowsFor(text);
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
        onFocus={() => {
          const before = takeTyped();
          const [first] = before.entered ? rowsFor(before.text) : [];
          if (first) first.take();
          else if (before.text !== "") setText(before.text);
        }}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const [first] = rows;
          if (event.key !== "Enter" || text.trim() === "" || !first) return;
          event.preventDefault();
          first.take();
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <ul aria-label="Filters" className="flex min-h-0 flex-col overflow-y-auto">
        {rows.map(({ label, take }) => (
          <li key={label}>
            <Button {...walked} variant="ghost" className="w-full justify-start px-2 font-normal" onClick={take}>
              <span className="truncate">{label}</span>
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="px-2 pb-1 text-muted-foreground text-sm empty:hidden">
        {rows.length === 0 ? "No filter has that name." : null}
      </p>
    </search>
  );
}
