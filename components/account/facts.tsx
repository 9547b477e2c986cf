"use client";

import { Lightbulb, PencilLine, Plus, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import type { Problem } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { type DisputeValue, SettleDispute } from "#components/records/settle-dispute.tsx";
import { StillTrue } from "#components/records/still-true.tsx";
import { useProperties } from "#components/records/use-properties.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Account, ClaimView } from "./calls.ts";
import type { FactValue } from "./fact-kinds.ts";
import { ConfidenceBar, FreshnessBadge } from "./trust.tsx";
import type { FactChanges } from "./use-fact-changes.ts";
import { employersOf, factOrder, valueWords } from "./value-words.ts";

/**
 * Columns as wide as their list allows, with 160 px for the value at least: below 40 rem cards, from there without the time last
 * seen and the source, from 45 rem without the source.
 */
const columns =
  "gap-x-4 @min-[40rem]:grid-cols-[9rem_minmax(10rem,1fr)_6.5rem_4.5rem] @min-[45rem]:grid-cols-[9rem_minmax(10rem,1fr)_6.5rem_4.5rem_4.5rem] @min-[50rem]:grid-cols-[9rem_minmax(10rem,1fr)_6.5rem_4.5rem_7.5rem_4.5rem]";
const fromThird = "@min-[40rem]:@max-[45rem]:hidden";
const fromFourth = "@min-[40rem]:@max-[50rem]:hidden";
const heads = [
  { label: "Fact" },
  { label: "Value" },
  { label: "Confidence" },
  { label: "Age" },
  { label: "Source", className: fromFourth },
  { label: "Last seen", className: fromThird },
];

const FactEditor = onDemand("The editor", () => import("./fact-editor.tsx").then((module) => module.FactEditor));

/** In columns it lies over the end of the row's first line while the row is pointed at or focused; for a finger it has a line of its own. */
const shownInRow =
  "@max-[40rem]:-ml-2 @min-[40rem]:pointer-coarse:col-start-2 @min-[40rem]:pointer-coarse:-ml-2 @min-[40rem]:pointer-fine:absolute @min-[40rem]:pointer-fine:row-[1/2] @min-[40rem]:pointer-fine:inset-y-0 @min-[40rem]:pointer-fine:right-2 @min-[40rem]:pointer-fine:my-auto @min-[40rem]:pointer-fine:opacity-0 @min-[40rem]:pointer-fine:group-focus-within/fact:opacity-100 @min-[40rem]:pointer-fine:group-hover/fact:opacity-100";

type FactsProps = {
  workspaceId: string;
  account: Account;
  past: boolean;
  changes: FactChanges;
  onAdd: () => void;
  onOpen: (property: string) => void;
  onConfirm: (property: string) => Promise<void>;
  example: string;
};

/** The current facts, with confidence, age and source; each can be edited in its row. */
export function Facts({ workspaceId, account, past, changes, onAdd, onOpen, onConfirm, example }: FactsProps) {
  const properties = Object.keys(account.claims).sort(factOrder);
  const editing = useEditing(changes);
  const otherProperties = useProperties(workspaceId, account.type === "company" ? "company" : "person");
  const samplesOf = (property: string) =>
    (otherProperties.find(({ name }) => name === property)?.samples ?? []).map((sample) => String([sample].flat()[0]));
  const adding = past ? null : (
    <Button data-writes size="sm" onClick={onAdd} aria-haspopup="dialog">
      <Plus aria-hidden="true" /> Add fact
    </Button>
  );
  if (properties.length === 0) {
    return (
      <EmptyState
        icon={<Lightbulb />}
        className="px-0"
        {...(adding ? { action: adding } : {})}
        {...(past ? {} : { example: { label: "What an agent sends", code: example } })}
      >
        {past
          ? "Nothing was known yet at that time."
          : "Facts appear here with their evidence as agents report what they learn. Add what you know yourself."}
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {adding ? <div className="flex justify-end">{adding}</div> : null}
      <div className="@container rounded-lg border bg-card">
        {/* Each row says the same to screen readers, so this is visual only. */}
        <div
          aria-hidden="true"
          className={cn("grid border-b px-4 py-1.5 text-muted-foreground text-sm @max-[40rem]:hidden", columns)}
        >
          {heads.map(({ label, className }) => (
            <span key={label} className={className}>
              {label}
            </span>
          ))}
        </div>
        <ul aria-label="Facts" className="divide-y" ref={editing.list}>
          {properties.map((property) => {
            const claim = account.claims[property] as ClaimView;
            return (
              <li key={property}>
                {editing.at?.property === property && !editing.at.saving ? (
                  <FactEditor
                    workspaceId={workspaceId}
                    property={property}
                    value={claim.value}
                    name={property === "works_at" ? account.relationships.works_at[0]?.name : undefined}
                    refused={editing.at.refused}
                    samples={samplesOf(property)}
                    onSave={(value, text) => void editing.save(property, value, text)}
                    onCancel={editing.stop}
                  />
                ) : (
                  <FactRow
                    property={property}
                    claim={claim}
                    wordsOf={(value) => valueWords(property, value, employersOf(account))}
                    onOpen={() => onOpen(property)}
                    {...(past
                      ? {}
                      : {
                          actions: {
                            onConfirm: () => onConfirm(property),
                            onEdit: () => editing.start(property),
                            onWrong: () => void changes.endFact(property),
                            onSettle: (value) => changes.settleFact(property, value),
                          },
                        })}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

type Editing = { property: string; saving: boolean; refused: { text: string; problem: Problem } | null };

/** Which fact is edited. While it is saved its row shows the new value; a refusal opens the editor again. */
function useEditing(changes: FactChanges) {
  const [at, setAt] = useState<Editing | null>(null);
  const [left, setLeft] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (left === null) return;
    list.current?.querySelector<HTMLElement>(`[data-edits="${CSS.escape(left)}"]`)?.focus();
    setLeft(null);
  }, [left]);
  const stop = () => {
    setLeft(at?.property ?? null);
    setAt(null);
  };
  return {
    at,
    list,
    start: (property: string) => setAt({ property, saving: false, refused: null }),
    stop,
    async save(property: string, value: FactValue, text: string): Promise<void> {
      setLeft(property);
      setAt({ property, saving: true, refused: null });
      const problem = await changes.setFact(property, value);
      setAt((now) => {
        if (now?.property !== property) return now;
        return problem ? { property, saving: false, refused: { text, problem } } : null;
      });
    },
  };
}

type FactRowProps = {
  property: string;
  claim: ClaimView;
  wordsOf: (value: unknown) => string;
  onOpen: () => void;
  /** Absent when the page shows the past. */
  actions?: {
    onConfirm: () => Promise<void>;
    onEdit: () => void;
    onWrong: () => void;
    onSettle: (value: DisputeValue) => Promise<void>;
  };
};

function FactRow({ property, claim, wordsOf: valueIn, onOpen, actions }: FactRowProps) {
  const disputed = claim.conflicts?.length ?? 0;
  return (
    <div
      className={cn(
        "group/fact relative grid items-center gap-y-1 px-4 py-2 hover:bg-hover/60 @min-[40rem]:min-h-10 @min-[40rem]:py-1",
        columns,
      )}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="truncate text-left text-muted-foreground after:absolute after:inset-0 @max-[40rem]:text-sm"
      >
        {wordsOf(property)}
        <span className="sr-only">: why we believe this</span>
      </button>
      <span data-value="" className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="wrap-anywhere line-clamp-3 font-medium">
          <LocalTimes>{valueIn(claim.value)}</LocalTimes>
        </span>
        {disputed > 0 ? (
          <Badge tone="warning" title="Sources disagree">
            <TriangleAlert aria-hidden="true" className="mr-1 inline" />
            Disputed
          </Badge>
        ) : null}
      </span>
      {actions ? (
        <SettleDispute
          value={claim.value}
          rivals={(claim.conflicts ?? []).map((conflict) => conflict.value)}
          wordsOf={valueIn}
          onSettle={actions.onSettle}
          className="relative z-1 w-fit @min-[40rem]:order-last @min-[40rem]:col-span-full @min-[40rem]:col-start-2 @min-[40rem]:pb-1.5"
        />
      ) : null}
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 @min-[40rem]:contents">
        <ConfidenceBar value={claim.confidence} />
        <span>
          <FreshnessBadge value={claim.freshness} />
        </span>
        <span className={cn("min-w-0 truncate text-muted-foreground text-sm", fromFourth)}>
          {sourceWords(claim.source)}
        </span>
        <span className={cn("relative z-1 w-fit text-muted-foreground text-sm", fromThird)}>
          <RelativeTime value={claim.last_observed_at} />
        </span>
      </span>
      {actions ? (
        <span className={cn("z-1 flex h-fit w-fit items-center rounded-md bg-card", shownInRow)}>
          <StillTrue property={property} onConfirm={actions.onConfirm} />
          <IconButton
            data-writes
            size="sm"
            label={`Edit ${wordsOf(property)}`}
            data-edits={property}
            onClick={actions.onEdit}
          >
            <PencilLine aria-hidden="true" />
          </IconButton>
          <IconButton data-writes size="sm" label={`Mark ${wordsOf(property)} as wrong`} onClick={actions.onWrong}>
            <X aria-hidden="true" />
          </IconButton>
        </span>
      ) : null}
    </div>
  );
}
