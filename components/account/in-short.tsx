"use client";

import { TriangleAlert } from "lucide-react";
import { wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import type { AccountPage, AccountViewProps } from "./account-page.ts";
import { comingWords } from "./event-words.ts";
import { factsInShort, keyFacts, lastAndNext } from "./key-facts.ts";
import { useTimeline } from "./use-timeline.ts";
import { employersOf, valueWords } from "./value-words.ts";

type InShortProps = { page: AccountPage; timeline: AccountViewProps["timeline"]; className?: string };

/** What happened last and comes next, how well the facts hold, and those that matter most. */
export function InShort({ page, timeline, className }: InShortProps) {
  const { workspaceId, id, account, calls, moment, setPlace } = page;
  const { events, dataUpdatedAt } = useTimeline({ workspaceId, id, calls, type: null, moment, first: timeline });
  const { last, next } = lastAndNext(events, moment ? moment.at : new Date(dataUpdatedAt).toISOString());
  const { words, disputed } = factsInShort(account.claims);
  const shown = keyFacts(account.claims);
  return (
    <Card aria-label="In short" className={className}>
      <CardHeader title="In short" />
      <div className="flex flex-col gap-1 border-t px-4 py-3">
        <p>
          {last ? <Happened label="Last" what={wordsOf(last.type)} at={last.observed_at} /> : "No activity yet."}
          {next ? (
            <>
              {" "}
              <Happened label="Next" what={comingWords(next.type)} at={next.observed_at} />
            </>
          ) : null}
        </p>
        <p className={disputed ? "text-warning-text" : "text-muted-foreground"}>
          {disputed ? <TriangleAlert aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.15em]" /> : null}
          {words}
        </p>
      </div>
      {shown.length > 0 ? (
        <ul aria-label="What matters most" className="border-t py-1.5">
          {shown.map((property) => (
            <li key={property}>
              <button
                type="button"
                aria-haspopup="dialog"
                onClick={() => setPlace({ fact: property })}
                className="flex w-full flex-wrap gap-x-3 px-4 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="w-22 shrink-0 truncate text-muted-foreground text-sm leading-5">
                  {wordsOf(property)}
                </span>
                <span className="wrap-anywhere line-clamp-2 min-w-0 flex-1 basis-38">
                  <LocalTimes>{valueWords(property, account.claims[property]?.value, employersOf(account))}</LocalTimes>
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="border-t px-2.5 py-1.5">
        <Button
          variant="ghost"
          size="sm"
          className="px-1.5 text-primary-text"
          onClick={() => setPlace({ tab: "facts" })}
        >
          All facts
        </Button>
      </div>
    </Card>
  );
}

function Happened({ label, what, at }: { label: string; what: string; at: string }) {
  return (
    <span>
      {label}: <span className="font-medium">{what}</span> <RelativeTime value={at} />.
    </span>
  );
}
