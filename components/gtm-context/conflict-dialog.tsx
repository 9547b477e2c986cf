"use client";

import type { ReactNode } from "react";
import { sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { WordDiff } from "#components/records/word-diff.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog, DialogBody, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import type { Draft, Theirs } from "./drafts.ts";
import { focusPanel, useReturnFocus } from "./focus.ts";

export type ConflictDialogProps = {
  draft: Draft;
  theirs: Theirs | null;
  onUseMine: () => void;
  onKeepTheirs: () => void;
  /** Back to the editor, with nothing decided. */
  onClose: () => void;
};

/** Someone else saved first: shows both texts side by side, and the writer decides. */
export function ConflictDialog({ draft, theirs, onUseMine, onKeepTheirs, onClose }: ConflictDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        size="lg"
        onOpenAutoFocus={focusPanel}
        onCloseAutoFocus={returnFocus}
        title={
          theirs
            ? `${draft.category} was changed while you were writing`
            : "This entry was retired while you were writing"
        }
        description={
          theirs
            ? "Compare and choose. If you use yours, theirs stays in the history."
            : "Your text was not saved. Add it as a new entry, or discard it."
        }
      >
        <DialogBody className="grid gap-3 sm:grid-cols-2">
          <Side
            title="Theirs"
            about={
              theirs ? (
                <>
                  {sourceWords(theirs.source)} · <RelativeTime value={theirs.recorded_at} />
                </>
              ) : (
                "Retired"
              )
            }
          >
            {theirs ? (
              <WordDiff before={theirs.content} after={draft.text} side="before" />
            ) : (
              <p className="text-muted-foreground">The entry is no longer current and was not replaced.</p>
            )}
          </Side>
          <Side title="Mine" about="Not saved yet">
            <WordDiff before={theirs?.content ?? draft.text} after={draft.text} side="after" />
          </Side>
        </DialogBody>
        <DialogFooter>
          <CopyButton text value={draft.text} label="Copy mine" className="mr-auto max-sm:basis-full" />
          <Button onClick={onKeepTheirs} className="max-sm:flex-1">
            {theirs ? "Keep theirs" : "Leave it retired"}
          </Button>
          <Button variant="primary" onClick={onUseMine} className="max-sm:flex-1">
            {theirs ? "Use mine" : "Add mine as new entry"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Side({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded-md border">
      <h3 className="flex items-baseline justify-between gap-2 border-b px-3 py-1.5 font-medium text-sm">
        {title}
        <span className="truncate font-normal text-muted-foreground">{about}</span>
      </h3>
      <div className="px-3 py-2">{children}</div>
    </section>
  );
}
