"use client";

import { Check } from "lucide-react";
import type { MouseEvent } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Card } from "#components/ui/card.tsx";
import { Gauge } from "#components/ui/progress.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";
import { completeness, type Group, slugOf, stateOf } from "./profile.ts";

export type OverviewProps = {
  groups: readonly Group[];
  facts: readonly EntryVersion[];
  onOpen: (section: string) => void;
};

/** How complete the profile is for scoring, what is missing, and the way to each section. */
export function Overview({ groups, facts, onOpen }: OverviewProps) {
  const { filled, of, missing } = completeness(facts);
  const open = (section: string) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(section);
  };
  return (
    <Card className="lg:bg-transparent">
      <div className="flex items-center gap-3 px-4 py-3">
        <Gauge
          value={filled}
          max={of}
          label="Complete for scoring"
          tone={missing.length === 0 ? "success" : "accent"}
        />
        <div className="min-w-0">
          <p className="font-medium">
            {filled} of {of} for scoring
          </p>
          <p className="text-muted-foreground text-sm">
            {missing.length === 0 ? (
              "Everything the ICP score is built from is written."
            ) : (
              <>
                Missing:{" "}
                {missing.map((section, place) => (
                  <span key={section}>
                    {place > 0 ? ", " : null}
                    <a
                      href={`?edit=${slugOf(section)}#${slugOf(section)}`}
                      onClick={open(section)}
                      className="rounded-xs text-primary-text underline-offset-2 hover:underline"
                    >
                      {section}
                    </a>
                  </span>
                ))}
              </>
            )}
          </p>
        </div>
      </div>
      <Revisit facts={facts} />
      <nav aria-label="Sections" className="border-t p-1.5 max-lg:hidden">
        <ul>
          {groups.map((group) => (
            <li key={group.slug}>
              <a
                href={`#${group.slug}`}
                className="flex h-7 items-center gap-2 rounded-xs px-2.5 text-muted-foreground text-sm hover:bg-hover hover:text-foreground focus-visible:-outline-offset-2"
              >
                <span className="truncate">{group.category}</span>
                <Mark group={group} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  );
}

function Mark({ group }: { group: Group }) {
  const count = group.facts.length > 1 ? group.facts.length : null;
  switch (stateOf(group)) {
    case "missing":
      return <span className="ml-auto text-xs">Missing</span>;
    case "empty":
      return <span className="ml-auto text-xs">Empty</span>;
    case "revisit":
      return <span className="ml-auto text-warning-text text-xs">Revisit</span>;
    case "complete":
      return (
        <span className="ml-auto flex items-center gap-1.5 text-xs">
          {count}
          <Check aria-hidden="true" className="size-3.5 text-success-text" />
          <span className="sr-only">Complete</span>
        </span>
      );
  }
}

/** Entries that are listed; the others are found in their sections. */
const SHOWN = 4;

/** What should be looked at again, before anything else. */
function Revisit({ facts }: { facts: readonly EntryVersion[] }) {
  const due = facts.filter((fact) => worthRevisiting(fact) !== null);
  if (due.length === 0) return null;
  return (
    <section aria-label="Worth revisiting" className="border-t py-1.5 text-sm">
      <h2 className="px-4 py-1 text-warning-text">
        {due.length === 1 ? "1 entry is" : `${due.length} entries are`} worth revisiting
      </h2>
      <ul className="px-1.5">
        {due.slice(0, SHOWN).map((fact) => (
          <li key={fact.id}>
            <a
              href={`#fact-${fact.id}`}
              className="flex min-h-7 items-center gap-2 rounded-xs px-2.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="truncate">{fact.category}</span>
              <span className="ml-auto shrink-0 text-muted-foreground text-xs">
                {worthRevisiting(fact) === "old" ? <RelativeTime value={fact.last_observed_at} /> : "Inferred"}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
