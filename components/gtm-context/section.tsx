"use client";

import { Check, History, Plus } from "lucide-react";
import { useRef } from "react";
import { curlOf } from "#components/curl.ts";
import { saveFact } from "#components/operations/facts.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Draft, PlacedDrafts } from "./drafts.ts";
import { Entry } from "./entry.tsx";
import { Editor } from "./lazy.tsx";
import { type Group, type SectionState, stateOf } from "./profile.ts";
import { nextRowKeys } from "./row-keys.ts";
import { guideOf } from "./sections.ts";
import { Statement } from "./statement.tsx";
import type { Actions } from "./use-profile.ts";

export type SectionProps = {
  group: Group;
  placed: PlacedDrafts;
  changed: ReadonlySet<string>;
  actions: Actions;
  /** The API's address, for the example. */
  origin: string;
  /** Shown above the first editor of a workspace without facts. */
  intro?: string | undefined;
  onText: (key: string, text: string) => void;
  onHistory: (slug: string) => void;
};

export function Section({ group, placed, changed, actions, origin, intro, onText, onHistory }: SectionProps) {
  const { category, slug, facts } = group;
  const rowKeys = useRef<ReadonlyMap<string, string>>(new Map());
  rowKeys.current = nextRowKeys(facts, rowKeys.current);
  const loose = placed.loose.filter((draft) => draft.category === category);
  const guide = guideOf(category);

  return (
    <Card
      id={slug}
      data-section={slug}
      tabIndex={-1}
      aria-labelledby={`${slug}-title`}
      className="group/section scroll-mt-16 overflow-clip"
    >
      <div className="flex min-h-11 items-center gap-2 px-4 py-1">
        <h2 id={`${slug}-title`} className="min-w-0 truncate font-semibold">
          {category}
        </h2>
        {facts.length > 1 ? <Badge>{facts.length}</Badge> : null}
        <State state={stateOf(group)} />
        <div className="ml-auto flex items-center gap-0.5">
          <IconButton
            label={`History of ${category}`}
            shortcut="h"
            size="sm"
            className="text-muted-foreground hover:text-foreground"
            onClick={() => onHistory(slug)}
          >
            <History aria-hidden="true" />
          </IconButton>
          <IconButton
            data-writes
            label={`Add to ${category}`}
            shortcut="a"
            size="sm"
            className="text-muted-foreground hover:text-foreground"
            onClick={() => actions.add(category)}
          >
            <Plus aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {intro && loose.length > 0 ? <p className="border-t px-4 pt-3 text-pretty">{intro}</p> : null}
      {loose.map((draft) => (
        <Loose key={draft.key} draft={draft} bare={intro !== undefined} actions={actions} onText={onText} />
      ))}
      {facts.map((fact) => (
        <Entry
          key={rowKeys.current.get(fact.id)}
          fact={fact}
          draft={placed.byEntry.get(fact.id)}
          changed={changed.has(fact.id)}
          actions={actions}
          onText={onText}
        />
      ))}
      {facts.length === 0 ? (
        <div className="flex flex-col gap-2.5 border-t px-4 py-3">
          {loose.length > 0 ? null : (
            <p className="text-pretty text-muted-foreground">{guide?.purpose ?? "Nothing here any more."}</p>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {loose.length > 0 ? null : (
              <Button data-writes size="sm" onClick={() => actions.add(category)}>
                <Plus aria-hidden="true" /> Write {category}
              </Button>
            )}
            {guide ? (
              <details className="min-w-0 text-sm open:basis-full">
                <summary className="w-fit cursor-pointer rounded-xs leading-6 text-muted-foreground hover:text-foreground">
                  Let an agent write it
                </summary>
                <CodeBlock
                  code={curlOf(origin, saveFact, { body: { section: category, content: guide.example } })}
                  className="mt-2"
                />
              </details>
            ) : null}
          </div>
        </div>
      ) : null}
    </Card>
  );
}

/** How far a section is; what is worth revisiting says so itself, and what is empty. */
function State({ state }: { state: SectionState }) {
  switch (state) {
    case "missing":
      return <Badge tone="outline">Needed for scoring</Badge>;
    case "complete":
      return (
        <Badge tone="success">
          <span className="flex items-center gap-1">
            <Check aria-hidden="true" className="size-3" /> Complete
          </span>
        </Badge>
      );
    case "revisit":
    case "empty":
      return null;
  }
}

/** A new entry being written, or an editor whose entry was removed meanwhile. */
function Loose({
  draft,
  bare,
  actions,
  onText,
}: { draft: Draft; bare: boolean } & Pick<SectionProps, "actions" | "onText">) {
  return (
    <div className={cn("px-4 py-3", !bare && "border-t")}>
      {draft.state === "saving" ? (
        <>
          <Statement content={draft.text} />
          <p role="status" className="mt-1.5 flex min-h-7 items-center text-muted-foreground text-sm">
            Saving…
          </p>
        </>
      ) : (
        <Editor
          draft={draft}
          orphaned={draft.id !== null}
          onText={(text) => onText(draft.key, text)}
          onSave={() => void actions.save(draft.key)}
          onCancel={() => actions.cancel(draft.key)}
        />
      )}
    </div>
  );
}
