import { memberToWrite } from "#lib/auth/named-members.ts";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { holdEntities } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { readClock } from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { deleteTaskRow, insertTask, lockTask, updateTaskRow } from "../queries.ts";
import { afterChange, type TaskState } from "../rules.ts";
import { announceTasks } from "./follow.ts";
import { contactOf, taskOf } from "./read.ts";

export const createTask = implement(contract.createTask, async (ctx, { title, due, focus, assignee, done }) => {
  const [entityId = null, assigneeId = null] = [await entityOf(ctx, focus), await userOf(ctx, assignee)];
  const at = await readClock(ctx.db);
  const id = newId();
  const none = { dueAt: null, dueOnDay: false, done: false, doneAt: null, doneBy: null };
  const empty: TaskState = { id, title, entityId, addedTo: entityId, assigneeId, ...none };
  await insertTask(ctx.db, afterChange(empty, { due, done }, nameOfActor(ctx), at), nameOfActor(ctx), at);
  announceTasks(ctx, at, [{ id, entityId }]);
  return { task: await taskOf(ctx, id) };
});

export const updateTask = implement(contract.updateTask, async (ctx, { id, focus, assignee, ...change }) => {
  const [entityId, assigneeId] = [await entityOf(ctx, focus), await userOf(ctx, assignee)];
  const task = await lockedTask(ctx, id);
  const at = await readClock(ctx.db);
  const after = afterChange(task, { ...change, entityId, assigneeId }, nameOfActor(ctx), at);
  if (isDifferent(task, after)) {
    await updateTaskRow(ctx.db, after, at);
    announceTasks(ctx, at, [{ id, entityId: after.entityId }]);
  }
  return { task: await taskOf(ctx, id) };
});

export const deleteTask = implement(contract.deleteTask, async (ctx, { id }) => {
  const { entityId } = await lockedTask(ctx, id);
  const task = await taskOf(ctx, id);
  await deleteTaskRow(ctx.db, id);
  await recordAudit(ctx, "task.deleted", id, entityId ? { entity_id: entityId } : {});
  announceTasks(ctx, await readClock(ctx.db), [{ id, entityId }]);
  return { task };
});

async function lockedTask(ctx: Ctx, id: string): Promise<TaskState> {
  const task = await lockTask(ctx.db, id);
  if (!task) throw new Fault("task_not_found");
  return task;
}

const isDifferent = (before: TaskState, after: TaskState): boolean => JSON.stringify(before) !== JSON.stringify(after);

/**
 * The person or company a task is about, held until this transaction ends: a merge or an erasure of it waits, or is over.
 * Undefined when nothing was said of it.
 */
async function entityOf(ctx: Ctx, focus: string | null | undefined): Promise<string | null | undefined> {
  if (focus === undefined || focus === null) return focus;
  const { id } = await contactOf(ctx, focus);
  return (await holdEntities(ctx, [id])).get(id)?.id;
}

const userOf = async (ctx: Ctx, assignee: string | null | undefined): Promise<string | null | undefined> =>
  assignee === undefined || assignee === null ? assignee : (await memberToWrite(ctx, assignee, "assignee")).userId;
