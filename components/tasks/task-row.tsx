import { Pencil, Trash2 } from "lucide-react";
import Link from "next/link";
import { memberName } from "#components/records/members.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Task } from "./calls.ts";
import { dueWords } from "./due-words.ts";

type TaskRowProps = {
  workspaceId: string;
  task: Task;
  now: Date;
  /** Beside its record: who it is about is clear, and no heading says that it is late. */
  here?: boolean;
  onTick: (task: Task) => void;
  onEdit: (task: Task) => void;
  onRemove: (task: Task) => void;
};

/** A task: ticked, opened to be changed, or deleted. */
export function TaskRow({ workspaceId, task, now, here, onTick, onEdit, onRemove }: TaskRowProps) {
  const due = dueWords(task.due, now);
  return (
    <li className="group/task flex items-start gap-2.5 py-1.5 pr-2 pl-4">
      <Checkbox
        data-writes="shown"
        checked={task.done}
        onCheckedChange={() => onTick(task)}
        aria-label={`Done: ${task.title}`}
        className="mt-1.5"
      />
      <div className="min-w-0 flex-1 py-0.5">
        <p className={cn("wrap-anywhere", task.done && "text-muted-foreground line-through")}>{task.title}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-muted-foreground text-sm">
          {due ? (
            <Badge tone={task.done || due.when === "later" ? "neutral" : due.when === "overdue" ? "danger" : "warning"}>
              {here && due.when === "overdue" && !task.done ? `Overdue: ${due.label}` : due.label}
            </Badge>
          ) : null}
          {task.entity_id && !here ? (
            <Link
              href={`/${workspaceId}/accounts/${task.entity_id}`}
              prefetch={false}
              className="max-w-full truncate rounded-xs hover:text-foreground hover:underline"
            >
              {task.entity_name}
            </Link>
          ) : null}
          {here ? (
            <span className="max-w-full truncate">{task.assignee ? memberName(task.assignee) : "Not assigned"}</span>
          ) : null}
        </p>
      </div>
      <div className="flex shrink-0 md:pointer-fine:opacity-0 md:group-focus-within/task:opacity-100 md:group-hover/task:opacity-100">
        <IconButton
          data-writes
          label={`Change “${task.title}”`}
          size="sm"
          aria-haspopup="dialog"
          onClick={() => onEdit(task)}
        >
          <Pencil aria-hidden="true" />
        </IconButton>
        <IconButton data-writes label={`Delete “${task.title}”`} size="sm" onClick={() => onRemove(task)}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}
