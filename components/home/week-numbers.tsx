"use client";

import { ArrowDownRight, ArrowUpRight, Minus } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { cn } from "#components/ui/cn.ts";
import { numeral } from "#components/ui/numbers.ts";
import { homeCallsOf, type Week } from "./calls.ts";
import { useCard } from "./home-card.tsx";

type Figure = { key: keyof Week; label: string; href: string };

const figures: readonly Figure[] = [
  { key: "new_people", label: "New people", href: "people?sort=created_desc" },
  { key: "replies", label: "Replies", href: "activity?type=email_received" },
  { key: "meetings_held", label: "Meetings held", href: "activity?type=meeting_held" },
  { key: "moved_forward", label: "Moved forward", href: "people" },
];

type WeekNumbersProps = { workspaceId: string; initial: Week; readAt: number };

/** What the last seven days brought, beside the seven before. */
export function WeekNumbers({ workspaceId, initial, readAt }: WeekNumbersProps) {
  const query = useCard(workspaceId, "week", initial, readAt, homeCallsOf(workspaceId).week);
  return (
    <section aria-label="The last 7 days">
      <LoadProblem title="The numbers could not be refreshed" query={query} className="mb-3 rounded-lg border" />
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border lg:grid-cols-4">
        {figures.map(({ key, label, href }) => (
          <li key={key} className="relative bg-card px-4 py-3 hover:bg-hover/60">
            <Link
              href={`/${workspaceId}/${href}`}
              prefetch={false}
              className="text-muted-foreground text-sm after:absolute after:inset-0"
            >
              {label}
            </Link>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold text-xl tabular-nums">{numeral(query.data[key].now)}</span>
              <Difference {...query.data[key]} />
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-muted-foreground text-xs">Last 7 days vs. the 7 before.</p>
    </section>
  );
}

function Difference({ now, before }: Week[keyof Week]) {
  const change = now - before;
  const Icon = change > 0 ? ArrowUpRight : change < 0 ? ArrowDownRight : Minus;
  return (
    <span
      className={cn(
        "inline-flex items-center gap-0.5 whitespace-nowrap text-sm",
        change > 0 ? "text-success-text" : "text-muted-foreground",
      )}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      <span className="sr-only">{change > 0 ? "up from" : change < 0 ? "down from" : "the same as"}</span>
      <span>
        <span aria-hidden="true">from </span>
        {numeral(before)}
      </span>
    </span>
  );
}
