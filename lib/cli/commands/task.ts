import type { Command } from "commander";
import type { z } from "zod";
import { createTask, listTasks, type Task, updateTask } from "#lib/domain/crm/tasks/contract.ts";
import { dueIn } from "#lib/text/due.ts";
import { minute } from "#lib/text/marks.ts";
import { ask } from "../ask.ts";
import type { Fill, Perform } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { bold, dim } from "../terminal.ts";

export const fill: Fill = (command, perform, client) => {
  addList(
    command.command("list", { isDefault: true }).description("Show what is to do, by due date."),
    perform,
    client,
  );
  addAdd(command.command("add").description("Add a task."), perform, client);
  addDone(command.command("done").description("Mark a task as done."), perform, client);
};

function addList(list: Command, perform: Perform, client: string): void {
  addServer(addFields(list, listTasks, [])).action(() => perform(() => ask(list, client, listTasks, {}, tasksText)));
}

function addAdd(add: Command, perform: Perform, client: string): void {
  add
    .argument("<title>", "what is to be done")
    .option("--due <when>", "tomorrow, friday 15:00, in 3 days, 5 June, 2026-06-05 or an ISO 8601 time");
  addServer(addFields(add, createTask, ["title", "due", "done"])).action((title: string, { due }: { due?: string }) =>
    perform(() => ask(add, client, createTask, { title, ...(due === undefined ? {} : { due: dueOf(due) }) }, added)),
  );
}

/** What the API takes for words; what it may take as it is, such as a time with an offset, is left to it. */
function dueOf(text: string): string {
  const due = dueIn(text, new Date()) ?? (/^\d{4}-/.test(text) ? text : null);
  if (due === null)
    throw new CommandFailure(2, "usage", `--due: ${text} is no day. Say tomorrow, friday or 2026-06-05.`);
  return due;
}

function addDone(done: Command, perform: Perform, client: string): void {
  done.argument("<id>", "the task's id").option("--open", "open it again");
  addServer(done).action((id: string, { open }: { open?: true }) =>
    perform(() => ask(done, client, updateTask, { id, done: open !== true }, changed)),
  );
}

const when = (due: string): string => (due.length === "2026-06-05".length ? due : `${minute(due)} UTC`);

const lineOf = ({ id, title, due, entity_name, assignee }: Task): string =>
  [
    `${bold(title)}${entity_name ? ` (${entity_name})` : ""}`,
    dim(`  ${due ? `due ${when(due)}, ` : ""}${assignee?.email ?? "not assigned"}  ${id}`),
  ].join("\n");

const added = ({ task }: z.output<typeof createTask.output>): string => `Added.\n${lineOf(task)}`;

const changed = ({ task }: z.output<typeof updateTask.output>): string =>
  `${task.done ? "Done" : "Open again"}: ${task.title}`;

const tasksText = ({ tasks, has_more }: z.output<typeof listTasks.output>): string =>
  tasks.length === 0
    ? 'There are no tasks. Add one with: rapport task add "Send the offer" --due tomorrow'
    : [...tasks.map(lineOf), ...(has_more ? [dim("There are more: --limit, --cursor.")] : [])].join("\n");
