"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Avatar } from "#components/ui/avatar.tsx";
import { Command, CommandGroup, CommandInput, CommandItem, CommandList } from "#components/ui/command.tsx";
import { takeTyped } from "#components/ui/typed-ahead.ts";
import { problemOf } from "./problem.ts";
import { type FoundRecord, type RecordType, searchRecords } from "./search-records.ts";

type RecordPickerProps = {
  workspaceId: string;
  /** The types that may be picked. */
  types: readonly RecordType[];
  label: string;
  /** Not offered: the record of the current page. */
  without?: string;
  /** The first text of the search. It is selected, so that typing replaces it. */
  initial?: string;
  onPick: (record: FoundRecord) => void;
};

const headings: Readonly<Record<RecordType, string>> = { person: "People", company: "Companies" };

/** Finds a person or company by typing. It is heavy: load it with next/dynamic. */
export function RecordPicker({ workspaceId, types, label, without, initial = "", onPick }: RecordPickerProps) {
  const [text, setText] = useState(initial);
  const search = useQuery({
    queryKey: ["record-picker", workspaceId, types, text.trim()],
    queryFn: async ({ signal }) => {
      const lists = types.map((type) => searchRecords(workspaceId, type, text, 8, signal));
      return (await Promise.all(lists)).flat();
    },
    placeholderData: keepPreviousData,
  });
  const records = (search.data ?? []).filter(({ id }) => id !== without);
  return (
    <Command label={label} shouldFilter={false} loop className="rounded-md border">
      <CommandInput
        autoFocus
        onFocus={({ currentTarget }) => {
          const before = takeTyped();
          if (before.text === "") currentTarget.select();
          else setText(before.text);
        }}
        placeholder="Name, e-mail or company…"
        value={text}
        onValueChange={setText}
        className="h-9 text-base"
      />
      <CommandList label={label} className="max-h-64">
        {types.map((type) => {
          const members = records.filter((record) => record.type === type);
          if (members.length === 0) return null;
          return (
            <CommandGroup key={type} heading={types.length > 1 ? headings[type] : undefined}>
              {members.map((record) => (
                <CommandItem key={record.id} value={record.id} onSelect={() => onPick(record)}>
                  <Avatar name={record.name} square={record.type === "company"} size="sm" />
                  <span className="min-w-0 truncate">{record.name}</span>
                  <span className="ml-auto min-w-0 max-w-1/2 truncate text-muted-foreground text-sm">
                    {record.detail}
                  </span>
                </CommandItem>
              ))}
            </CommandGroup>
          );
        })}
      </CommandList>
      <p role="status" className="px-3 py-2 text-muted-foreground text-sm empty:hidden">
        {search.error ? problemOf(search.error).message : null}
        {search.isPending ? "Searching…" : null}
        {!search.isPending && !search.error && records.length === 0
          ? `No ${without ? "other " : ""}record has that name.`
          : null}
      </p>
    </Command>
  );
}
