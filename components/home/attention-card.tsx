"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { FactValue } from "#components/account/fact-kinds.ts";
import { employersIn, valueWords } from "#components/account/value-words.ts";
import { wordsOf } from "#components/records/names.ts";
import { problemOf } from "#components/records/problem.ts";
import { toastSettled } from "#components/records/settled.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { leavePage } from "#components/ui/leaving.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { AttentionItem } from "#lib/domain/knowledge/attention/contract.ts";
import { AttentionGroup, type Group, groupsOf, logHref, replyHref } from "./attention-group.tsx";
import { type Attention, homeCallsOf } from "./calls.ts";
import { HomeCard, useCard } from "./home-card.tsx";
import { useInboxKeys } from "./use-inbox-keys.ts";

const NewTask = onDemand("The task", () => import("#components/tasks/new-task.tsx").then((module) => module.NewTask));

/** Shows only the most urgent; the rest is one click away, so that the cards below stay visible. */
const FIRST = 6;

type AttentionCardProps = { workspaceId: string; initial: Attention; readAt: number };

/** What needs attention now, by person, the most urgent first. */
export function AttentionCard({ workspaceId, initial, readAt }: AttentionCardProps) {
  const query = useCard(workspaceId, "attention", initial, readAt, homeCallsOf(workspaceId).attention);
  const { confirm, hide, settle } = useActions(workspaceId);
  const router = useRouter();
  const groups = groupsOf(query.data.items);
  const [all, setAll] = useState(false);
  const shown = all ? groups : groups.slice(0, FIRST);
  const more = groups.length - shown.length;
  const [task, setTask] = useState<Group | null>(null);
  const [snoozing, setSnoozing] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const go = (href: string) => leavePage(() => router.push(href));
  useInboxKeys(list, shown, {
    onDone: (group) => void hide(group),
    onSnooze: ({ entityId }) => setSnoozing(entityId),
    onTask: setTask,
    onLog: ({ entityId }) => go(logHref(workspaceId, entityId)),
    onReply: ({ entityId }) => go(replyHref(workspaceId, entityId)),
  });
  return (
    <HomeCard title="Needs attention" query={query}>
      {groups.length === 0 ? (
        <EmptyState icon={<Sparkles />}>
          Nothing now. Coming meetings, silent deals, disputed and unconfirmed facts will appear here.
        </EmptyState>
      ) : (
        <ul ref={list} aria-label="Needs attention" className="divide-y">
          {shown.map((group) => (
            <AttentionGroup
              key={group.entityId}
              group={group}
              workspaceId={workspaceId}
              onConfirm={confirm}
              onSettle={settle}
              onTask={() => setTask(group)}
              snoozing={snoozing === group.entityId}
              onSnoozing={(open) => setSnoozing(open ? group.entityId : null)}
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
      {task ? <NewTask workspaceId={workspaceId} entityId={task.entityId} onClose={() => setTask(null)} /> : null}
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
      toastProblem(error);
    }
  }

  async function settle(item: AttentionItem, value: FactValue): Promise<void> {
    const { id, entity_id, property = "", values = [], names } = item;
    const [before = null] = values;
    try {
      const { observation_ids } = await calls.settle(entity_id, property, value);
      client.setQueryData<Attention>(queryKey, (data) => data && without(data, [id]));
      toastSettled<FactValue>({
        ...{ property, before, value },
        wordsOf: (each) => valueWords(property, each, employersIn(names)),
        undo: () => reopen(entity_id, observation_ids[0] ?? ""),
      });
      await refresh();
    } catch (error) {
      toastProblem(error);
    }
  }

  async function reopen(entityId: string, observationId: string): Promise<void> {
    try {
      await calls.withdraw(entityId, observationId);
      await refresh();
    } catch (error) {
      toastProblem(error);
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
    client.setQueryData<Attention>(queryKey, (data) => data && without(data, ids));
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

  return { confirm, hide, settle };
}

const without = (data: Attention, ids: readonly string[]): Attention => ({
  ...data,
  items: data.items.filter(({ id }) => !ids.includes(id)),
});
