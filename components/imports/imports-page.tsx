"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useBelongsTo } from "#components/frame/here.ts";
import { Card } from "#components/ui/card.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { ImportPage } from "./calls.ts";
import { DropZone } from "./drop-zone.tsx";
import { History } from "./history.tsx";
import { kindLabels, kinds } from "./words.ts";

type ImportsPageProps = {
  workspaceId: string;
  initial: ImportPage;
  /** Names of members by the id of their user. */
  members: Readonly<Record<string, string>>;
};

/** A place for a file, and the imports before. The kind is in the address, so that lists can link to theirs. */
export function ImportsPage({ workspaceId, initial, members }: ImportsPageProps) {
  const asked = useSearchParams().get("kind");
  const [wanted, setWanted] = useState(asked);
  const kind = kinds.find((each) => each === wanted) ?? "people";
  useBelongsTo(kind);
  return (
    <>
      <Card aria-label="A new import" className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span aria-hidden="true" className="font-medium">
            What is in the file?
          </span>
          <Segments
            label="What is in the file?"
            segments={kinds.map((value) => ({ value, label: kindLabels[value] }))}
            value={kind}
            onValue={(next) => {
              setWanted(next); // the address follows when the browser has time
              history.replaceState(null, "", `?kind=${next}`);
            }}
          />
        </div>
        <DropZone key={kind} workspaceId={workspaceId} kind={kind} />
      </Card>
      <History workspaceId={workspaceId} initial={initial} members={members} />
    </>
  );
}
