"use client";

import { Lightbulb, TriangleAlert } from "lucide-react";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { StillTrue } from "#components/records/still-true.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/cn.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { Account, ClaimView } from "./calls.ts";
import { ConfidenceBar, FreshnessBadge } from "./trust.tsx";
import { factOrder, valueWords } from "./value-words.ts";

const columns = "gap-x-4 md:grid-cols-[9rem_minmax(0,1fr)_6.5rem_4.5rem_7.5rem_4.5rem]";

/** On a wide screen it lies over the end of the row while the row is pointed at or focused. */
const shownInRow =
  "max-md:-ml-2 bg-card md:absolute md:inset-y-0 md:right-2 md:my-auto md:opacity-0 md:focus-visible:opacity-100 md:group-focus-within/fact:opacity-100 md:group-hover/fact:opacity-100";

type FactsProps = {
  account: Account;
  past: boolean;
  onOpen: (property: string) => void;
  onConfirm: (property: string) => Promise<void>;
  example: string;
};

/** The current facts, with confidence, age and source. */
export function Facts({ account, past, onOpen, onConfirm, example }: FactsProps) {
  const properties = Object.keys(account.claims).sort(factOrder);
  if (properties.length === 0) {
    return (
      <EmptyState
        icon={<Lightbulb />}
        className="px-0"
        {...(past ? {} : { example: { label: "What an agent sends", code: example } })}
      >
        {past
          ? "Nothing was known yet at that time."
          : "Facts appear here with their evidence as agents report what they learn."}
      </EmptyState>
    );
  }
  return (
    <div className="rounded-lg border bg-card">
      {/* Each row says the same to screen readers, so this is visual only. */}
      <div
        aria-hidden="true"
        className={cn("grid border-b px-4 py-1.5 text-muted-foreground text-sm max-md:hidden", columns)}
      >
        {["Fact", "Value", "Confidence", "Age", "Source", "Last seen"].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <ul aria-label="Facts" className="divide-y">
        {properties.map((property) => (
          <li key={property}>
            <FactRow
              property={property}
              claim={account.claims[property] as ClaimView}
              words={valueWords(property, account.claims[property]?.value, account.relationships)}
              onOpen={() => onOpen(property)}
              {...(past ? {} : { onConfirm: () => onConfirm(property) })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

type FactRowProps = {
  property: string;
  claim: ClaimView;
  words: string;
  onOpen: () => void;
  /** Absent when the page shows the past. */
  onConfirm?: () => Promise<void>;
};

function FactRow({ property, claim, words, onOpen, onConfirm }: FactRowProps) {
  const disputed = claim.conflicts?.length ?? 0;
  return (
    <div
      className={cn(
        "group/fact relative grid items-center gap-y-1 px-4 py-2 hover:bg-hover/60 md:min-h-10 md:py-1",
        columns,
      )}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="truncate text-left text-muted-foreground after:absolute after:inset-0 max-md:text-sm"
      >
        {wordsOf(property)}
        <span className="sr-only">: why we believe it</span>
      </button>
      <span className="flex min-w-0 items-center gap-2">
        <span className="wrap-anywhere line-clamp-3 font-medium">{words}</span>
        {disputed > 0 ? (
          <Badge tone="warning" title="Sources disagree">
            <TriangleAlert aria-hidden="true" className="mr-1 inline" />
            Disputed
          </Badge>
        ) : null}
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 md:contents">
        <ConfidenceBar value={claim.confidence} />
        <span>
          <FreshnessBadge value={claim.freshness} />
        </span>
        <span className="min-w-0 truncate text-muted-foreground text-sm">{sourceWords(claim.source)}</span>
        <span className="relative z-1 w-fit text-muted-foreground text-sm">
          <RelativeTime value={claim.last_observed_at} />
        </span>
      </span>
      {onConfirm ? <StillTrue property={property} onConfirm={onConfirm} className={shownInRow} /> : null}
    </div>
  );
}
