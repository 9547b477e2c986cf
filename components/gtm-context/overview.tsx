"use client";

import type { MouseEvent } from "react";
import { Card } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { Gauge } from "#components/ui/progress.tsx";
import type { FactVersion } from "#lib/domain/facts/contract.ts";
import { completeness, type Group, slugOf, worthRevisiting } from "./profile.ts";
import { guideOf } from "./sections.ts";

export type OverviewProps = {
  groups: readonly Group[];
  facts: readonly FactVersion[];
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
      <Revisit facts={facts} />
    </Card>
  );
}

function Mark({ group }: { group: Group }) {
  const { facts, category } = group;
  if (facts.length === 0) {
    return <span className="ml-auto text-xs">{guideOf(category)?.scores ? "Missing" : "Empty"}</span>;
  }
  const old = facts.some((fact) => worthRevisiting(fact) !== null);
  return (
    <span className={cn("ml-auto text-xs", old && "text-warning-text")}>
      {old ? "Revisit" : facts.length === 1 ? "" : facts.length}
    </span>
  );
}

function Revisit({ facts }: { facts: readonly FactVersion[] }) {
  const due = facts.filter((fact) => worthRevisiting(fact) !== null);
  const [first] = due;
  if (!first) return null;
  return (
    <p className="border-t px-4 py-2.5 text-sm">
      <a href={`#fact-${first.id}`} className="rounded-xs text-warning-text underline-offset-2 hover:underline">
        {due.length === 1 ? "1 entry is" : `${due.length} entries are`} worth revisiting
      </a>
    </p>
  );
}
