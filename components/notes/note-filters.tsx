"use client";

import { CalendarRange, User, X } from "lucide-react";
import { useState } from "react";
import { useRecordName } from "#components/records/record-name.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { Select } from "#components/ui/select.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { NoteType } from "./calls.ts";
import { noteTypeOptions, noteTypes } from "./note-types.ts";

const RecordPicker = onDemand(
  "The list of records",
  () => import("#components/records/record-picker.tsx").then((module) => module.RecordPicker),
  { loading: <Skeleton className="h-40 w-full" /> },
);

type Change = { type?: NoteType | null; about?: string | null; from?: string | null; to?: string | null };

/** As in the address; null means no limit. */
type Span = { from: string | null; to: string | null };

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
      <About workspaceId={workspaceId} about={about} onChange={onChange} />
      {span ? <Dates span={span} onChange={onChange} /> : null}
    </>
  );
}

type AboutProps = Pick<NoteFiltersProps, "workspaceId" | "about" | "onChange">;

function About({ workspaceId, about, onChange }: AboutProps) {
  const [open, setOpen] = useState(false);
  const name = useRecordName(workspaceId, about);
  return (
    <span className="flex items-center">
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button>
            <User aria-hidden="true" />
            <span className="max-w-40 truncate">{about ? (name ?? "…") : "Anybody"}</span>
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label="Notes on" className="w-80">
          <RecordPicker
            workspaceId={workspaceId}
            types={["person", "company"]}
            label="About"
            onPick={({ id }) => {
              setOpen(false);
              onChange({ about: id });
            }}
          />
        </PopoverContent>
      </Popover>
      {about ? (
        <Button variant="ghost" size="icon" aria-label="Notes on anybody" onClick={() => onChange({ about: null })}>
          <X aria-hidden="true" />
        </Button>
      ) : null}
    </span>
  );
}

function Dates({ span, onChange }: { span: Span; onChange: (change: Change) => void }) {
  const isSet = span.from !== null || span.to !== null;
  return (
    <span className="flex items-center">
      <Popover>
        <PopoverTrigger asChild>
          <Button>
            <CalendarRange aria-hidden="true" />
            {isSet ? `${span.from ?? "…"} – ${span.to ?? "…"}` : "Any date"}
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label="Dates" className="flex flex-col gap-3">
          <Field label="From">
            <Input
              type="date"
              value={span.from ?? ""}
              onChange={(event) => onChange({ from: event.target.value || null })}
            />
          </Field>
          <Field label="To">
            <Input
              type="date"
              value={span.to ?? ""}
              onChange={(event) => onChange({ to: event.target.value || null })}
            />
          </Field>
        </PopoverContent>
      </Popover>
      {isSet ? (
        <Button
          variant="ghost"
          size="icon"
          aria-label="Notes of any date"
          onClick={() => onChange({ from: null, to: null })}
        >
          <X aria-hidden="true" />
        </Button>
      ) : null}
    </span>
  );
}
