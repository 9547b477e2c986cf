"use client";

import { DateFilter, type Span } from "#components/records/date-filter.tsx";
import { RecordFilter } from "#components/records/record-filter.tsx";
import { Select } from "#components/ui/select.tsx";
import type { NoteType } from "./calls.ts";
import { noteTypeOptions, noteTypes } from "./note-types.ts";

type Change = { type?: NoteType | null; about?: string | null; from?: string | null; to?: string | null };

type NoteFiltersProps = {
  workspaceId: string;
  type: NoteType | null;
  about: string | null;
  /** Null while searching: a question can name a time itself. */
  span: Span | null;
  onChange: (change: Change) => void;
};

const EVERY = "every";

/** By type, by the person or company, and by date. */
export function NoteFilters({ workspaceId, type, about, span, onChange }: NoteFiltersProps) {
  return (
    <>
      <Select
        aria-label="Type of note"
        className="w-44"
        value={type ?? EVERY}
        onValueChange={(next) => onChange({ type: noteTypes.find((each) => each === next) ?? null })}
        options={[{ value: EVERY, label: "Every type" }, ...noteTypeOptions]}
      />
      <RecordFilter workspaceId={workspaceId} value={about} title="Notes on" onValue={(about) => onChange({ about })} />
      {span ? <DateFilter span={span} title="Notes" onSpan={onChange} /> : null}
    </>
  );
}
