"use client";

import { User, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useRecordName } from "./record-name.ts";

const RecordPicker = onDemand(
  "The list of records",
  () => import("./record-picker.tsx").then((module) => module.RecordPicker),
  { loading: <Skeleton className="h-40 w-full" /> },
);

type RecordFilterProps = {
  workspaceId: string;
  /** The id of the person or company; null: all. */
  value: string | null;
  /** What is filtered, such as "Notes on". */
  title: string;
  onValue: (id: string | null) => void;
};

/** Limits a list to one person or company. */
export function RecordFilter({ workspaceId, value, title, onValue }: RecordFilterProps) {
  const [open, setOpen] = useState(false);
  const name = useRecordName(workspaceId, value);
  return (
    <span className="flex items-center">
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button>
            <User aria-hidden="true" />
            <span className="max-w-40 truncate">{value ? (name ?? "…") : "Anyone"}</span>
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label={title} className="w-80">
          <RecordPicker
            workspaceId={workspaceId}
            types={["person", "company"]}
            label="Person or company"
            onPick={({ id }) => {
              setOpen(false);
              onValue(id);
            }}
          />
        </PopoverContent>
      </Popover>
      {value ? (
        <Button variant="ghost" size="icon" aria-label={`${title} anyone`} onClick={() => onValue(null)}>
          <X aria-hidden="true" />
        </Button>
      ) : null}
    </span>
  );
}
