"use client";

import { Lightbulb } from "lucide-react";
import Link from "next/link";
import { valueWords } from "#components/account/value-words.ts";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { homeCallsOf, type LearnedPage } from "./calls.ts";
import { HomeCard, useCard } from "./home-card.tsx";
import { newestFacts } from "./newest.ts";

type NewestCardProps = { workspaceId: string; initial: LearnedPage; readAt: number; example: string };

const SHOWN = 10;

/** The newest facts about people and companies. */
export function NewestCard({ workspaceId, initial, readAt, example }: NewestCardProps) {
  const query = useCard(workspaceId, "learned", initial, readAt, homeCallsOf(workspaceId).learned);
  const facts = newestFacts(query.data, SHOWN);
  return (
    <HomeCard title="Newest facts" query={query}>
      {facts.length === 0 ? (
        <EmptyState icon={<Lightbulb />} example={{ label: "What an agent sends", code: example }}>
          What agents and people learn appears here as it comes in.
        </EmptyState>
      ) : (
        <ul className="divide-y">
          {facts.map((fact) => (
            <li key={fact.id} className="relative px-4 py-2 hover:bg-hover/60">
              <p className="wrap-anywhere line-clamp-2">
                <span className="text-muted-foreground">{wordsOf(fact.property)}:</span>{" "}
                <span className="font-medium">
                  <LocalTimes>{valueWords(fact.property, fact.value)}</LocalTimes>
                </span>
              </p>
              <p className="flex flex-wrap gap-x-1.5 text-muted-foreground text-sm">
                <Link
                  href={`/${workspaceId}/accounts/${fact.entity_id}?tab=facts&fact=${encodeURIComponent(fact.property)}`}
                  prefetch={false}
                  className="wrap-anywhere min-w-0 text-foreground after:absolute after:inset-0"
                >
                  {fact.entity_name}
                </Link>
                <span aria-hidden="true">·</span>
                {sourceWords(fact.source)}
                <span aria-hidden="true">·</span>
                <span className="relative z-1">
                  <RelativeTime value={fact.recorded_at} />
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </HomeCard>
  );
}
