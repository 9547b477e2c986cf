"use client";

import { FolderPlus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { useAddress } from "./address.ts";
import { PAGE } from "./calls.ts";
import { type Draft, draftOf, placeDrafts } from "./drafts.ts";
import { focusSection, useProfileCommands } from "./keys.ts";
import { AgentViewSheet, CategoryDialog, ConflictDialog, HistorySheet, preloadWriting } from "./lazy.tsx";
import { NotCurrent } from "./not-current.tsx";
import { Overview } from "./overview.tsx";
import { type Group, groupFacts, groupNamed } from "./profile.ts";
import { Section } from "./section.tsx";
import { WrittenTexts } from "./statement.tsx";
import { useProfile } from "./use-profile.ts";

export type GtmProfileProps = {
  workspaceId: string;
  initial: readonly EntryVersion[];
  readAt: number;
  origin: string;
  /** What the reader is called. */
  writer: string;
  /** The entries as the server formatted them, by their id. */
  formatted: Readonly<Record<string, ReactNode>>;
};

const startHere =
  "Start with who buys from you. Every agent reads this before it writes or calls; two sentences are enough, and you can change them at any time.";

/** The GTM Context tab: every section of the profile, its editors, and what opens over them. */
export function GtmProfile({ workspaceId, initial, readAt, origin, writer, formatted }: GtmProfileProps) {
  const [place, setPlace] = useAddress();
  const wanted = place.edit ?? place.section;
  const profile = useProfile({ workspaceId, initial, readAt, writer, opened: () => openedAtFirst(initial, wanted) });
  const { facts, drafts, open, changes, actions } = profile;
  const [naming, setNaming] = useState(false);
  const groups = groupFacts(
    facts,
    open.map((draft) => draft.category),
  );
  const placed = placeDrafts(facts, open);
  const conflicting = open.find((draft) => draft.conflict !== null);
  const shown = place.history === null ? undefined : groupNamed(groups, place.history);

  const edit = ({ category, facts: [newest] }: Group) => (newest ? actions.edit(newest) : actions.add(category));
  const showHistory = (slug: string) => setPlace({ history: slug }, { history: "push" });
  const showAgentView = () => setPlace({ view: "agents" }, { history: "push" });
  useWantedEditor({ wanted, groups, open, edit, onClosed: () => setPlace({ edit: null, section: null }) });
  useProfileCommands({
    groups,
    onEdit: edit,
    onAdd: ({ category }) => actions.add(category),
    onHistory: ({ slug }) => showHistory(slug),
    onAgentView: showAgentView,
    onNewCategory: () => setNaming(true),
  });

  return (
    <div
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]"
      onPointerOverCapture={preloadWriting}
      onFocusCapture={preloadWriting}
    >
      <aside aria-label="Overview" className="lg:sticky lg:top-17 lg:order-last">
        <Overview
          groups={groups}
          facts={facts}
          onOpen={(section) => {
            const group = groupNamed(groups, section);
            if (group) edit(group);
          }}
        />
      </aside>
      <WrittenTexts entries={initial} formatted={formatted}>
        <div className="flex min-w-0 flex-col gap-3">
          {profile.problem ? <NotCurrent problem={profile.problem} onRetry={() => void profile.refresh()} /> : null}
          {groups.map((group) => (
            <Section
              key={group.category}
              group={group}
              placed={placed}
              changed={changes.changed}
              actions={actions}
              origin={origin}
              intro={facts.length === 0 && group.category === "ICP" ? startHere : undefined}
              onText={(key, text) => drafts.change(key, { text })}
              onHistory={showHistory}
            />
          ))}
          {facts.length >= PAGE ? (
            <p className="text-muted-foreground text-sm">
              These are the newest {PAGE} entries. Agents read a short profile best: retire what no longer helps.
            </p>
          ) : null}
          <Button data-writes className="self-start" onClick={() => setNaming(true)}>
            <FolderPlus aria-hidden="true" /> Add a category
          </Button>
        </div>
      </WrittenTexts>
      <p role="status" className="sr-only">
        {changes.news || profile.said}
      </p>
      {shown ? (
        <HistorySheet
          workspaceId={workspaceId}
          category={shown.category}
          onClose={() => setPlace({ history: null })}
          onRestore={async (version) => {
            const restored = await actions.restore(version);
            if (restored) toast.success("Version restored", { description: "What it replaced is in the history." });
            return restored;
          }}
        />
      ) : null}
      {place.view === "agents" ? (
        <AgentViewSheet workspaceId={workspaceId} origin={origin} onClose={() => setPlace({ view: null })} />
      ) : null}
      {naming ? (
        <CategoryDialog
          categories={groups.map((group) => group.category)}
          onClose={() => setNaming(false)}
          onAdd={(category) => {
            setNaming(false);
            actions.add(category);
          }}
        />
      ) : null}
      {conflicting?.conflict ? (
        <ConflictDialog
          draft={conflicting}
          theirs={conflicting.conflict.theirs}
          onUseMine={() => actions.replaceTheirs(conflicting.key)}
          onKeepTheirs={() => drafts.close(conflicting.key)}
          onClose={() => drafts.change(conflicting.key, { conflict: null })}
        />
      ) : null}
    </div>
  );
}

/**
 * A page asked for with `?edit=` opens with that editor; a workspace without facts opens with the editor of the ICP.
 */
function openedAtFirst(facts: readonly EntryVersion[], wanted: string | null): Draft[] {
  const group = groupNamed(groupFacts(facts), wanted ?? (facts.length === 0 ? "ICP" : ""));
  if (!group) return [];
  return [draftOf({ category: group.category, entry: group.facts[0], focus: wanted !== null })];
}

type EditorRequest = {
  wanted: string | null;
  groups: readonly Group[];
  open: readonly Draft[];
  edit: (group: Group) => void;
  onClosed: () => void;
};

/** Opens the editor named in the address whenever one appears there; closing the editor removes it from the address. */
function useWantedEditor({ wanted, groups, open, edit, onClosed }: EditorRequest): void {
  const followed = useRef<string | null>(null);
  useEffect(() => {
    const group = wanted === null ? undefined : groupNamed(groups, wanted);
    if (wanted === followed.current) {
      if (wanted !== null && !open.some(({ category }) => category === group?.category)) onClosed();
      return;
    }
    followed.current = wanted;
    if (!group) return;
    const section = document.getElementById(group.slug);
    if (section) focusSection(section);
    edit(group);
  });
}
