"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { memberName, membersOf } from "#components/records/members.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { useSending } from "#components/records/use-sending.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { dueIn } from "#lib/text/due.ts";
import type { Task, TaskChange } from "./calls.ts";
import { dueText, dueWords } from "./due-words.ts";

type TaskDialogProps = {
  workspaceId: string;
  /** Null: a new one. */
  task: Task | null;
  /** Throws when it is refused. */
  onSave: (change: TaskChange & { title: string }) => Promise<void>;
  onClose: () => void;
};

const NO_ONE = "none";
/** The same as in the contract. */
const longest = 500;

/** Adds a task or changes one. */
export function TaskDialog({ workspaceId, task, onSave, onClose }: TaskDialogProps) {
  const [title, setTitle] = useState(task?.title ?? "");
  const [due, setDue] = useState(dueText(task?.due ?? null));
  const [assignee, setAssignee] = useState(task ? (task.assignee?.email ?? NO_ONE) : "me");
  const [sent, setSent] = useState(false);
  const { problem, busy, send } = useSending();
  const meant = due.trim() === "" ? null : dueIn(due, new Date());
  const unclear = due.trim() !== "" && meant === null;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setSent(true);
    if (busy || title.trim() === "" || unclear) return;
    await send(async () => {
      await onSave({ title: title.trim(), due: meant, assignee: assignee === NO_ONE ? null : assignee });
      onClose();
    });
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title={task ? "Change task" : "Add task"}>
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label="Task" error={sent && title.trim() === "" ? "Enter what is to be done." : undefined}>
              <Input
                value={title}
                onChange={(event) => setTitle(event.target.value)}
                placeholder="Send the offer"
                autoComplete="off"
                maxLength={longest}
              />
            </Field>
            <Field
              label="Due"
              optional
              hint={meant ? dueWords(meant, new Date())?.label : "tomorrow, friday 15:00, in 3 days, 5 June …"}
              error={sent && unclear ? "Enter a day such as tomorrow, friday, 5 June or 2026-06-05." : undefined}
            >
              <Input
                value={due}
                onChange={(event) => setDue(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <Assignee
              workspaceId={workspaceId}
              value={assignee}
              onValue={setAssignee}
              currentAssignee={task?.assignee ?? null}
            />
            <Refusal problem={problem} />
          </DialogBody>
          <DialogSubmit label={task ? "Save" : "Add task"} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

type AssigneeProps = {
  workspaceId: string;
  value: string;
  onValue: (value: string) => void;
  currentAssignee: Task["assignee"];
};

function Assignee({ workspaceId, value, onValue, currentAssignee: known }: AssigneeProps) {
  const members = useQuery(membersOf(workspaceId)).data?.members ?? (known ? [known] : []);
  const options = [
    { value: "me", label: "Me" },
    { value: NO_ONE, label: "No one" },
    ...members.map((member) => ({ value: member.email, label: memberName(member) })),
  ];
  return (
    <Field label="Assigned to">
      <Select options={options} value={value} onValueChange={onValue} />
    </Field>
  );
}
