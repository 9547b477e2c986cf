"use client";

import { type ReactNode, useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { MergedRecordsProps } from "./merged-records.tsx";

const MergedRecords = onDemand("The merges", () =>
  import("./merged-records.tsx").then((module) => module.MergedRecords),
);

/** What is seldom needed: how systems name the record, and which records it was merged from. */
export function RecordDetails({ children, ...merges }: MergedRecordsProps & { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-xs py-1 text-muted-foreground hover:text-foreground">
        Details
      </summary>
      {children}
      {open ? (
        <>
          <h3 className="pt-2 text-muted-foreground">Merged records</h3>
          <MergedRecords {...merges} />
        </>
      ) : null}
    </details>
  );
}
