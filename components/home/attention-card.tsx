"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CalendarClock, Hourglass, type LucideIcon, MoonStar, Scale, Sparkles } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import { problemOf } from "#components/records/problem.ts";
import { StillTrue } from "#components/records/still-true.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Attention, homeCallsOf } from "./calls.ts";
import { HomeCard, useCard } from "./home-card.tsx";

type Item = Attention["items"][number];

const kinds: Readonly<Record<Item["kind"], { label: string; icon: LucideIcon; place: string; action: string }>> = {
  upcoming_meeting: {
    label: "Meeting",
    icon: CalendarClock,
    place: "tab=agents&intent=meeting_prep",
    action: "Prepare",
  },
  conflict: { label: "Sources disagree", icon: Scale, place: "tab=facts", action: "See the evidence" },
  going_dark: { label: "Going dark", icon: MoonStar, place: "tab=timeline", action: "See what happened" },
  decayed_fact: { label: "Not confirmed", icon: Hourglass, place: "tab=facts", action: "Check it" },
};

/** Shows only the most urgent; the rest is one click away, so that the cards below stay visible. */
const FIRST = 6;

type AttentionCardProps = { workspaceId: string; initial: Attention; readAt: number };

/** What needs attention now, the most urgent first. */
export function AttentionCard({ workspaceId, initial, readAt }: AttentionCardProps) {
  const query = useCard(workspaceId, "attention", initial, readAt, homeCallsOf(workspaceId).attention);
  const client = useQueryClient();
  /** The fact leaves the list when it is read again. */
  async function confirm(entityId: string, property: string): Promise<void> {
    try {
      await homeCallsOf(workspaceId).confirm(entityId, property);
      toast.success(`${wordsOf(property)} confirmed.`);
      await client.invalidateQueries({ queryKey: ["home", workspaceId, "attention"] });
    } catch (error) {
      toast.error(problemOf(error).message);
    }
  }
  const { items } = query.data;
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FIRST);
  const more = items.length - shown.length;
  return (
    <HomeCard title="Needs attention" query={query}>
      {items.length === 0 ? (
        <EmptyState icon={<Sparkles />}>
          Nothing now. Coming meetings, silent deals, disputed and unconfirmed facts will appear here.
        </EmptyState>
      ) : (
        <ul className="divide-y">
          {shown.map((item) => (
            <AttentionRow
              key={`${item.kind} ${item.entity_id} ${item.what}`}
              item={item}
              workspaceId={workspaceId}
              onConfirm={confirm}
            />
          ))}
        </ul>
      )}
      {more > 0 ? (
        <div className="border-t px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            Show {more} more
          </Button>
        </div>
      ) : null}
    </HomeCard>
  );
}

type AttentionRowProps = {
  item: Item;
  workspaceId: string;
  onConfirm: (entityId: string, property: string) => Promise<void>;
};

function AttentionRow({ item, workspaceId, onConfirm }: AttentionRowProps) {
  const { label, icon: Icon, place, action } = kinds[item.kind];
  return (
    <li className="relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover/60">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            href={`/${workspaceId}/accounts/${item.entity_id}?${place}`}
            prefetch={false}
            className="font-medium after:absolute after:inset-0"
          >
            {item.entity_name}
          </Link>
          <span className="text-muted-foreground text-sm">{label}</span>
        </p>
        <p className="wrap-anywhere text-pretty text-muted-foreground">
          <LocalTimes>{sentence(item.what)}</LocalTimes>
        </p>
      </div>
      {item.kind === "decayed_fact" && item.property ? (
        <StillTrue
          property={item.property}
          onConfirm={() => onConfirm(item.entity_id, item.property as string)}
          className="-my-1"
        />
      ) : null}
      <span aria-hidden="true" className="shrink-0 text-primary-text text-sm max-sm:hidden">
        {action}
      </span>
    </li>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
