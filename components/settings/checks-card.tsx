"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { type Role, roleIncludes } from "#lib/core/plans.ts";
import type { Check, Checks } from "#lib/domain/workspace/checks/contract.ts";
import { checksQuery } from "./check-calls.ts";
import { checkLooks, worstFirst } from "./check-words.ts";

type Group = { about: Check["about"]; title: string; description: string };
const groups: readonly Group[] = [
  {
    about: "operation",
    title: "What runs",
    description: "Triggers, integrations, keys and jobs of this workspace.",
  },
  { about: "data", title: "Data quality", description: "What makes context less complete, or less certain." },
];

/** What has stopped and how good the data is, each with the list and what changes when it is dealt with. */
export function ChecksCards({ workspaceId, role, initial }: { workspaceId: string; role: Role; initial: Checks }) {
  const query = useQuery({ ...checksQuery(workspaceId), initialData: initial });
  return groups.map(({ about, title, description }) => (
    <Card key={about} aria-labelledby={about}>
      <CardHeader titleId={about} title={title} description={description} />
      <LoadProblem
        title="The checks could not be refreshed"
        query={query}
        note="What you see may be out of date."
        className="border-t"
      />
      <ul className="border-t">
        {worstFirst(query.data.checks.filter((check) => check.about === about)).map((check) => (
          <CheckRow
            key={check.id}
            workspaceId={workspaceId}
            check={check}
            page={pageFor(check, role)}
            isEarlier={check.counted_at !== null && check.counted_at !== query.data.as_of}
          />
        ))}
      </ul>
    </Card>
  ));
}

/** The page of jobs is for admins. */
const pageFor = ({ id, page }: Check, role: Role): string | null =>
  id === "jobs" && !roleIncludes(role, "admin") ? null : page;

type CheckRowProps = { workspaceId: string; check: Check; page: string | null; isEarlier: boolean };

function CheckRow({ workspaceId, check, page, isEarlier }: CheckRowProps) {
  const { id, state, says, advice, count, items, counted_at } = check;
  const { label, tone } = checkLooks[state];
  return (
    <li className="flex items-start gap-3 border-t px-4 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p id={`check-${id}`} className={count > 0 ? "text-pretty font-medium" : "text-pretty"}>
          {says}
        </p>
        {advice ? <p className="max-w-prose text-pretty text-muted-foreground text-sm">{advice}</p> : null}
        {isEarlier && counted_at ? (
          <p className="text-muted-foreground text-sm">
            Counted <RelativeTime value={counted_at} />
          </p>
        ) : null}
        {items.length > 0 ? <Items workspaceId={workspaceId} check={check} /> : null}
      </div>
      <div className="flex shrink-0 flex-col-reverse items-end gap-x-3 gap-y-1 sm:flex-row sm:items-center">
        {count > 0 && page !== null ? (
          <Link
            href={`/${workspaceId}/${page}`}
            aria-describedby={`check-${id}`}
            className="rounded-xs text-primary-text text-sm leading-5 hover:underline"
          >
            Open
          </Link>
        ) : null}
        {state === "fine" && count > 0 ? null : (
          <Badge tone={tone} dot>
            {label}
          </Badge>
        )}
      </div>
    </li>
  );
}

function Items({ workspaceId, check: { id, items, count, capped } }: { workspaceId: string; check: Check }) {
  return (
    <details className="group/items mt-1 text-sm">
      <summary
        aria-describedby={`check-${id}`}
        className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 rounded-xs text-muted-foreground hover:text-foreground [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight aria-hidden="true" className="size-3.5 group-open/items:rotate-90" />
        {items.length < count || capped ? `The first ${items.length}` : "Show"}
      </summary>
      <ul className="mt-0.5 ml-4.5 flex flex-col">
        {items.map(({ text, entity_id }) => (
          <li key={`${entity_id} ${text}`} className="wrap-anywhere py-0.5 leading-5">
            {entity_id === null ? (
              text
            ) : (
              <Link href={`/${workspaceId}/accounts/${entity_id}`} className="rounded-xs hover:underline">
                {text}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
