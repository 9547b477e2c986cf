"use client";

import { ListTodo, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Editing } from "./task-list.tsx";
import { TaskEditor, TaskList, TasksPending } from "./task-list.tsx";
import { useTasks } from "./use-tasks.ts";

type TasksCardProps = { workspaceId: string; id: string; editing: Editing; onEdit: (editing: Editing) => void };

/** What is to do about a person or company, beside their account. */
export function TasksCard({ workspaceId, id, editing, onEdit }: TasksCardProps) {
  const open = useTasks(workspaceId, { focus: id });
  const [past, setPast] = useState(false);
  return (
    <Card aria-label="Tasks">
      <CardHeader
        title="Tasks"
        aside={open.tasks?.length ? <span className="text-muted-foreground">{open.tasks.length}</span> : null}
        actions={
          <IconButton
            data-writes
            label="Add task"
            shortcut="t"
            size="sm"
            aria-haspopup="dialog"
            onClick={() => onEdit("new")}
          >
            <Plus aria-hidden="true" />
          </IconButton>
        }
      />
      {open.tasks === undefined ? (
        <TasksPending query={open.query} />
      ) : open.tasks.length === 0 ? (
        <EmptyState
          icon={<ListTodo />}
          className="border-t"
          action={
            <Button data-writes size="sm" aria-haspopup="dialog" onClick={() => onEdit("new")}>
              Add task
            </Button>
          }
        >
          Tasks that you or agents add about this record are listed here.
        </EmptyState>
      ) : (
        <div className="border-t">
          <TaskList workspaceId={workspaceId} tasks={open.tasks} actions={open} here onEdit={onEdit} />
        </div>
      )}
      <div className="border-t px-2 py-1">
        <Button variant="ghost" size="sm" aria-expanded={past} onClick={() => setPast(!past)}>
          {past ? "Hide what is done" : "Show what is done"}
        </Button>
      </div>
      {past ? <Done workspaceId={workspaceId} id={id} onEdit={onEdit} /> : null}
      <TaskEditor workspaceId={workspaceId} editing={editing} actions={open} onClose={() => onEdit(null)} />
    </Card>
  );
}

function Done({ workspaceId, id, onEdit }: Pick<TasksCardProps, "workspaceId" | "id" | "onEdit">) {
  const done = useTasks(workspaceId, { focus: id, done: true });
  if (done.tasks === undefined) return <TasksPending query={done.query} rows={1} />;
  if (done.tasks.length === 0) return <EmptyState className="border-t">Nothing is done yet.</EmptyState>;
  return (
    <div className="border-t">
      <TaskList workspaceId={workspaceId} tasks={done.tasks} actions={done} here onEdit={onEdit} />
    </div>
  );
}
