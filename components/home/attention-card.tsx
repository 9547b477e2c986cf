"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { AttentionGroup, type Group, groupsOf } from "./attention-group.tsx";
import { type Attention, homeCallsOf } from "./calls.ts";
import { HomeCard, useCard } from "./home-card.tsx";

/** Shows only the most urgent; the rest is one click away, so that the cards below stay visible. */
const FIRST = 6;

type AttentionCardProps = { workspaceId: string; initial: Attention; readAt: number };

/** What needs attention now, by person, the most urgent first. */
export function AttentionCard({ workspaceId, initial, readAt }: AttentionCardProps) {
  const query = useCard(workspaceId, "attention", initial, readAt, homeCallsOf(workspaceId).attention);
  const { confirm, hide } = useActions(workspaceId);
  const groups = groupsOf(query.data.items);
  const [all, setAll] = useState(false);
  const shown = all ? groups : groups.slice(0, FIRST);
  const more = groups.length - shown.length;
  return (
    <HomeCard title="Needs attention" query={query}>
      {groups.length === 0 ? (
        <EmptyState icon={<Sparkles />}>
          Nothing now. Coming meetings, silent deals, disputed and unconfirmed facts will appear here.
        </EmptyState>
      ) : (
        <ul className="divide-y">
          {shown.map((group) => (
            <AttentionGroup
              key={group.entityId}
              group={group}
              workspaceId={workspaceId}
              onConfirm={confirm}
              onHide={(hidden, days) => void hide(hidden, days)}
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

/** What can be done about an item. Each leaves the list when it is read again; a hidden one at once. */
function useActions(workspaceId: string) {
  const client = useQueryClient();
  const queryKey = ["home", workspaceId, "attention"];
  const calls = homeCallsOf(workspaceId);
  const refresh = () => client.invalidateQueries({ queryKey });

  async function confirm(entityId: string, property: string): Promise<void> {
    try {
      await calls.confirm(entityId, property);
      toast.success(`${wordsOf(property)} confirmed.`);
      await refresh();
    } catch (error) {
      toast.error(problemOf(error).message);
    }
  }

  async function show(ids: readonly string[]): Promise<void> {
    try {
      await calls.show(ids);
      await refresh();
    } catch (error) {
      toast.error("It could not be shown again.", { description: problemOf(error).message });
    }
  }

  async function hide({ name, items }: Group, days?: number): Promise<void> {
    const ids = items.map(({ id }) => id);
    await client.cancelQueries({ queryKey });
    client.setQueryData<Attention>(
      queryKey,
      (data) => data && { ...data, items: data.items.filter(({ id }) => !ids.includes(id)) },
    );
    try {
      await calls.hide(items, days);
      toastWithUndo(days === undefined ? `${name} dismissed, until something changes.` : `${name} snoozed.`, () =>
        show(ids),
      );
    } catch (error) {
      toast.error(`${name} could not be hidden.`, { description: problemOf(error).message });
    }
    await refresh();
  }

  return { confirm, hide };
}
