import { z } from "zod";
import { findNamedMembers, memberFinder, userBehind } from "#lib/auth/named-members.ts";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import type { Position, Sort } from "#lib/db/listing.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { resolveExisting } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import * as contract from "../contract.ts";
import { type DueTask, findDue, findTask, listTaskRows, type TaskJson, where } from "../queries.ts";
import { momentOf } from "../rules.ts";

type Filters = z.output<typeof contract.listTasks.input>;

const sorts: Readonly<Record<Filters["sort"], Sort>> = {
  due_asc: { column: "due_at", type: "timestamptz", nullable: true, descending: false, nullsLast: true },
  created_desc: { column: "created_at", type: "timestamptz", nullable: false, descending: true },
};

/** The sort a cursor was made for, and the last row's place in it. */
const Place = z.tuple([z.enum(contract.taskSorts), Timestamp.nullable(), Id]);
const places = cursorsOf(contract.listTasks.name, Place);

function placeOf(ctx: Ctx, { cursor, sort }: Filters): Position | null {
  if (cursor === undefined) return null;
  const [madeFor, value, id] = places.decode(ctx, cursor);
  if (madeFor !== sort)
    throw new Fault("invalid_parameter", { parameter: "cursor" }, `cursor was returned for the sort ${madeFor}.`);
  return { value, id };
}

async function conditionsOf(ctx: Ctx, { focus, assignee, done, due_before, due_after }: Filters) {
  return [
    where.done(done),
    ...(focus === undefined ? [] : [where.entity((await contactOf(ctx, focus)).id)]),
    ...(assignee === undefined ? [] : [await assigneeCondition(ctx, assignee)]),
    ...(due_before === undefined ? [] : [where.dueBefore(due_before)]),
    ...(due_after === undefined ? [] : [where.dueFrom(due_after)]),
  ];
}

async function assigneeCondition(ctx: Ctx, assignee: string) {
  if (assignee.toLowerCase() === "none") return where.unassigned();
  return where.assignee((await memberFinder(ctx))(assignee, "assignee").userId);
}

/** The person or company of a focus; throws like `resolveExisting`, and 400 for the workspace. */
export async function contactOf(ctx: Ctx, focus: string) {
  const entity = await resolveExisting(ctx, focus);
  if (entity.type !== "workspace") return entity;
  const message = "A task is about a person or a company; leave focus out when it is about neither.";
  throw new Fault("invalid_focus", { parameter: "focus" }, message);
}

export const listTasks = implement(contract.listTasks, async (ctx, input) => {
  const { limit, sort } = input;
  const conditions = await conditionsOf(ctx, input);
  const request = { conditions, sort: sorts[sort], limit, offset: 0, after: placeOf(ctx, input) };
  const rows = await listTaskRows(ctx.db, request);
  const { shown, next } = pageOf(ctx, places, { rows, limit }, ({ id, due, created_at }) => [
    sort,
    sort === "due_asc" ? momentOf(due) : created_at,
    id,
  ]);
  return { tasks: await named(ctx, shown), limit, ...next };
});

export const getTask = implement(contract.getTask, async (ctx, { id }) => ({ task: await taskOf(ctx, id) }));

/** A task as the API gives it; throws 404 when there is none. */
export async function taskOf(ctx: Ctx, id: string): Promise<contract.Task> {
  const row = await findTask(ctx.db, id);
  const [task] = row ? await named(ctx, [row]) : [];
  if (!task) throw new Fault("task_not_found");
  return task;
}

/** Tasks with the names of their records and members. A member who has left the workspace is not given. */
async function named(ctx: Ctx, rows: readonly TaskJson[]): Promise<contract.Task[]> {
  if (rows.length === 0) return [];
  const [labels, members] = await together([
    findLabels(
      ctx.db,
      rows.flatMap(({ entity_id }) => entity_id ?? []),
    ),
    findNamedMembers(ctx.db),
  ]);
  const byId = new Map(members.map((member) => [member.userId, member]));
  return rows.map(({ entity_id, assignee_id, id, title, due, ...rest }) => {
    const label = entity_id === null ? undefined : labels.get(entity_id);
    const member = assignee_id === null ? undefined : byId.get(assignee_id);
    return {
      id,
      title,
      due,
      entity_id,
      entity_name: label ? nameOf(label) : null,
      entity_type: label && label.type !== "workspace" ? label.type : null,
      assignee: member ? { email: member.email, name: member.name } : null,
      ...rest,
    };
  });
}

/** Open tasks that are due before then: those of the caller and those without an assignee; all of them for a key that no member made. */
export const dueTasks = async (ctx: Ctx, before: Date): Promise<DueTask[]> =>
  findDue(ctx.db, before, await userBehind(ctx));
