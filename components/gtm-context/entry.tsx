"use client";

import { Archive, Check, Pencil } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";
import type { Draft } from "./drafts.ts";
import { Editor, Provenance } from "./lazy.tsx";
import { Statement } from "./statement.tsx";
import type { Actions } from "./use-profile.ts";

const tones: Record<EntryVersion["freshness"], string> = {
  fresh: "bg-success",
  aging: "bg-muted-foreground",
  suspect: "bg-warning",
  expired: "bg-danger",
};

/** Icons beside the text: muted until hovered. */
const quiet = "text-muted-foreground hover:text-foreground";

export type EntryProps = {
  fact: EntryVersion;
  draft: Draft | undefined;
  /** Someone else wrote it a moment ago. */
  changed: boolean;
  actions: Actions;
  onText: (key: string, text: string) => void;
};

/** One current statement of a section, or the editor in its place. */
export function Entry({ fact, draft, changed, actions, onText }: EntryProps) {
  const overtaken = draft !== undefined && (draft.id !== fact.id || draft.seen !== fact.content);
  const untouched = draft?.state === "editing" && draft.text === draft.seen;
  useEffect(() => {
    if (draft && overtaken && untouched) actions.rebase(draft.key, fact);
  });

  return (
    <article
      id={`fact-${fact.id}`}
      aria-label={`${fact.category} entry`}
      className={cn(
        "group/entry scroll-mt-16 border-t px-4 py-3 transition-colors",
        changed && "bg-primary-soft shadow-[inset_2px_0_var(--primary)]",
      )}
    >
      {draft?.state === "editing" ? (
        <Editor
          draft={draft}
          overtakenBy={overtaken ? fact : undefined}
          onText={(text) => onText(draft.key, text)}
          onSave={() => void actions.save(draft.key)}
          onCancel={() => actions.cancel(draft.key)}
          onCompare={() => actions.compare(draft.key, fact)}
        />
      ) : (
        <Standing fact={fact} saving={draft?.text} actions={actions} />
      )}
    </article>
  );
}

/** `saving`: the text on its way to the server, shown as if it were there. */
function Standing({ fact, saving, actions }: { fact: EntryVersion; saving: string | undefined; actions: Actions }) {
  const revisit = worthRevisiting(fact);
  return (
    <>
      <Statement
        content={saving ?? fact.content}
        onEdit={saving === undefined ? () => actions.edit(fact) : undefined}
      />
      <div className="mt-1.5 flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-sm">
        {saving === undefined ? <Origin fact={fact} actions={actions} /> : <span role="status">Saving…</span>}
        {revisit && saving === undefined ? (
          <>
            <Badge tone="warning">{revisit === "old" ? "Worth revisiting" : "Inferred, not confirmed"}</Badge>
            <Button data-writes size="sm" onClick={() => void actions.confirm(fact)}>
              <Check aria-hidden="true" /> Still true
            </Button>
          </>
        ) : null}
        <span
          className={cn(
            "ml-auto flex items-center gap-0.5 transition-opacity focus-within:opacity-100 group-hover/entry:opacity-100 md:pointer-fine:opacity-0",
            saving !== undefined && "invisible",
          )}
        >
          <IconButton
            data-writes
            label="Edit"
            shortcut="e"
            size="sm"
            className={quiet}
            onClick={() => actions.edit(fact)}
          >
            <Pencil aria-hidden="true" />
          </IconButton>
          <IconButton
            data-writes
            label="Retire: no longer true"
            size="sm"
            className={quiet}
            onClick={() => void actions.retire(fact)}
          >
            <Archive aria-hidden="true" />
          </IconButton>
        </span>
      </div>
    </>
  );
}

/** Who wrote it, how, and when; a click on the confidence shows where it comes from. */
function Origin({ fact, actions }: { fact: EntryVersion; actions: Actions }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const percent = `${Math.round(fact.confidence * 100)}%`;
  return (
    <>
      {fact.author ? (
        <>
          <span className="truncate text-foreground">{fact.author}</span>
          <span aria-hidden="true">·</span>
        </>
      ) : null}
      <span className="truncate">{sourceWords(fact.source)}</span>
      <span aria-hidden="true">·</span>
      <RelativeTime value={fact.last_observed_at} />
      <Tooltip content={`${freshnessWords[fact.freshness]}, confidence ${percent}. Click for where it comes from.`}>
        <button
          ref={trigger}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => {
            setWanted(true);
            setOpen(!open);
          }}
          className="-mx-1 inline-flex h-6 items-center gap-1.5 rounded-xs px-1 hover:bg-hover hover:text-foreground aria-expanded:bg-hover"
        >
          <span aria-hidden="true" className={cn("size-1.5 rounded-full", tones[fact.freshness])} />
          <span className="sr-only">Where it comes from. {freshnessWords[fact.freshness]}, </span>
          {percent} confident
        </button>
      </Tooltip>
      {wanted ? (
        <Provenance
          fact={fact}
          anchor={trigger as RefObject<HTMLButtonElement>}
          open={open}
          onOpenChange={setOpen}
          onConfirm={() => void actions.confirm(fact)}
        />
      ) : null}
    </>
  );
}

const freshnessWords: Record<EntryVersion["freshness"], string> = {
  fresh: "Fresh",
  aging: "Over 30 days old",
  suspect: "Over 90 days old",
  expired: "Over 180 days old",
};
