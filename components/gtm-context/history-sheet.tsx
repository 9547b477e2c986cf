"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { WordDiff } from "#components/records/word-diff.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { Switch } from "#components/ui/switch.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { callsOf, factsKey } from "./calls.ts";
import { focusPanel, useReturnFocus } from "./focus.ts";
import { Statement } from "./statement.tsx";
import { predecessorOf } from "./versions.ts";

export type HistorySheetProps = {
  workspaceId: string;
  category: string;
  onClose: () => void;
  onRestore: (version: EntryVersion) => Promise<boolean>;
};

/** Every version of a section, newest first, each compared with the one it replaced. */
export function HistorySheet({ workspaceId, category, onClose, onRestore }: HistorySheetProps) {
  const returnFocus = useReturnFocus();
  const [withChanges, setWithChanges] = useState(true);
  const history = useQuery({
    queryKey: [...factsKey(workspaceId), "history", category],
    queryFn: ({ signal }) => callsOf(workspaceId).listVersions(category, signal),
    staleTime: 0,
  });
  const versions = history.data?.versions;

  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent
        title={`History of ${category}`}
        description="Every version, newest first. Nothing is ever overwritten."
        onOpenAutoFocus={focusPanel}
        onCloseAutoFocus={returnFocus}
      >
        <div className="border-b px-5 py-2">
          <Switch checked={withChanges} onCheckedChange={setWithChanges} label="Show what changed" />
        </div>
        <SheetBody className="py-0">
          {versions ? null : <LoadProblem title="The history could not be loaded" query={history} className="px-0" />}
          {history.isPending ? (
            <Loading label="Loading history" className="flex flex-col gap-8 py-4">
              <SkeletonText lines={3} />
              <SkeletonText lines={4} />
              <SkeletonText lines={3} />
            </Loading>
          ) : null}
          {versions?.length === 0 ? (
            <EmptyState className="px-0">
              Nothing has been written in {category} yet. Every version will appear here.
            </EmptyState>
          ) : null}
          <ol>
            {versions?.map((version, index) => (
              <li key={`${version.id} ${version.recorded_at}`} className="border-b py-4 last:border-b-0">
                <Version
                  version={version}
                  before={withChanges ? predecessorOf(versions, index) : undefined}
                  onRestore={() => onRestore(version)}
                />
              </li>
            ))}
          </ol>
          {history.data?.has_more ? (
            <p className="py-4 text-muted-foreground text-sm">
              Older versions are kept too; the API lists them with include_history=true.
            </p>
          ) : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

type VersionProps = { version: EntryVersion; before: EntryVersion | undefined; onRestore: () => Promise<boolean> };

function Version({ version, before, onRestore }: VersionProps) {
  const [restoring, setRestoring] = useState(false);
  const current = version.superseded_at === undefined || version.superseded_at === null;

  async function restore() {
    setRestoring(true);
    await onRestore();
    setRestoring(false);
  }

  return (
    <article aria-label={`Version of ${version.recorded_at}`}>
      <header className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="truncate font-medium">{version.author ?? sourceWords(version.source)}</span>
        <span className="text-muted-foreground text-sm">
          <RelativeTime value={version.recorded_at} />
        </span>
        <Standing version={version} current={current} />
        {current ? null : (
          <Button size="sm" className="ml-auto" loading={restoring} onClick={restore}>
            <RotateCcw aria-hidden="true" /> Restore
          </Button>
        )}
      </header>
      <p className="text-muted-foreground text-sm">
        {[
          version.author ? sourceWords(version.source) : null,
          version.client,
          version.epistemic_class === "asserted" ? null : version.epistemic_class,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {before && before.content !== version.content ? (
        <WordDiff before={before.content} after={version.content} className="mt-2" />
      ) : (
        <Statement content={version.content} className="mt-2" />
      )}
    </article>
  );
}

function Standing({ version, current }: { version: EntryVersion; current: boolean }) {
  if (current) return <Badge tone="success">Current</Badge>;
  return <Badge>{version.superseded_by === null ? "Retired" : "Replaced"}</Badge>;
}
