"use client";

import { ListTodo, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { MINE, type Task } from "./calls.ts";
import { dueWords } from "./due-words.ts";
import { type Editing, TaskEditor, TaskList, TasksPending } from "./task-list.tsx";
import { type InitialTasks, useTasks } from "./use-tasks.ts";

const groups = [
  { when: "overdue", label: "Overdue" },
  { when: "today", label: "Due today" },
  { when: "later", label: "Next" },
] as const;

/** Shows only so many of what is next; the rest is one click away. */
const FIRST = 5;

const whenOf = ({ due }: Task, now: Date) => dueWords(due, now)?.when ?? "later";

type MyTasksCardProps = {
  workspaceId: string;
  read: InitialTasks;
};

/** What the reader has to do: overdue, due today, and next. */
export function MyTasksCard({ workspaceId, read }: MyTasksCardProps) {
  const mine = useTasks(workspaceId, MINE, read);
  // Only the browser knows the reader's zone, so which tasks are due today.
  const hydrated = useHydrated();
  const isPending = mine.tasks === undefined || (mine.tasks.length > 0 && !hydrated);
  const [editing, setEditing] = useState<Editing>(null);
  const [all, setAll] = useState(false);
  const now = new Date();
  const tasks = isPending ? [] : (mine.tasks ?? []);
  const hidden = all ? 0 : tasks.filter((task) => whenOf(task, now) === "later").length - FIRST;
  return (
    <Card aria-label="My tasks">
      <CardHeader
        title="My tasks"
        aside={
          tasks.length > 0 ? (
            <span className="text-muted-foreground">
              {tasks.length}
              {mine.more ? "+" : ""}
            </span>
          ) : null
        }
        actions={
          <IconButton data-writes label="Add task" size="sm" aria-haspopup="dialog" onClick={() => setEditing("new")}>
            <Plus aria-hidden="true" />
          </IconButton>
        }
      />
      {isPending ? (
        <TasksPending query={mine.query} />
      ) : tasks.length === 0 ? (
        <EmptyState
          icon={<ListTodo />}
          className="border-t"
          action={
            <Button data-writes size="sm" aria-haspopup="dialog" onClick={() => setEditing("new")}>
              Add task
            </Button>
          }
        >
          Tasks that are assigned to you are listed here, the next due first.
        </EmptyState>
      ) : (
        groups.map(({ when, label }) => {
          const theirs = tasks.filter((task) => whenOf(task, now) === when);
          const shown = when === "later" && !all ? theirs.slice(0, FIRST) : theirs;
          return shown.length === 0 ? null : (
            <section key={when} aria-label={label} className="border-t">
              <h3 className="px-4 pt-2 font-medium text-muted-foreground text-sm">{label}</h3>
              <TaskList workspaceId={workspaceId} tasks={shown} actions={mine} onEdit={setEditing} />
            </section>
          );
        })
      )}
      {hidden > 0 ? (
        <div className="border-t px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            Show {hidden} more
          </Button>
        </div>
      ) : null}
      <TaskEditor workspaceId={workspaceId} editing={editing} actions={mine} onClose={() => setEditing(null)} />
    </Card>
  );
}
