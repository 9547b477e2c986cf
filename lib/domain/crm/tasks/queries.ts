import type { Db } from "#lib/db/handle.ts";
import { type Condition, type ListRequest, listRows } from "#lib/db/listing.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import type { TaskState } from "./rules.ts";

const TIME = (column: string) => `to_char(p.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The day, or the moment. */
const DUE_TEXT = `CASE WHEN p.due_on_day THEN to_char(p.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE ${TIME("due_at")} END`;

/** A task as its JSON: as the API gives it, without the names of the record and the member. */
const TASK = `json_build_object('id', p.id, 'title', p.title,
  'due', ${DUE_TEXT},
  'entity_id', p.entity_id, 'assignee_id', p.assignee_id, 'done', p.done, 'done_at', ${TIME("done_at")}, 'done_by', p.done_by,
  'created_by', p.created_by, 'created_at', ${TIME("created_at")}, 'updated_at', ${TIME("updated_at")})::text`;

/** A row as `TASK` prints it. */
export type TaskJson = {
  id: string;
  title: string;
  due: string | null;
  entity_id: string | null;
  assignee_id: string | null;
  done: boolean;
  done_at: string | null;
  done_by: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
};

/** `begins`: an index by due begins with it, before whether it is done. `range`: it is a range of that index. */
type TaskCondition = Condition & { index?: "done" | "begins" | "range" };

const is = (text: string, ...values: unknown[]): TaskCondition => ({ text, values });
/** Whether to walk the list or to look the value up depends on how rare it is. */
const rare = (condition: TaskCondition): TaskCondition => ({ ...condition, rare: true, probe: condition });

/** Conditions of the list; the indexes they rely on are described at tasks. */
export const where = {
  done: (done: boolean): TaskCondition => ({ ...is(done ? "p.done" : "NOT p.done"), index: "done" }),
  entity: (id: string): TaskCondition => ({ ...is("p.entity_id = ?::uuid", id), index: "begins" }),
  assignee: (userId: string): TaskCondition => ({ ...is("p.assignee_id = ?::uuid", userId), index: "begins" }),
  /** An index on a column that is null is in no order for the planner. */
  unassigned: (): TaskCondition => rare(is("p.assignee_id IS NULL")),
  dueBefore: (time: Date): TaskCondition => ({ ...is("p.due_at < ?", time), index: "range" }),
  dueFrom: (time: Date): TaskCondition => ({ ...is("p.due_at >= ?", time), index: "range" }),
} as const;

/** A walk along tasks_due_idx, tasks_assignee_idx, tasks_entity_idx or tasks_created_idx. */
const isWalk = ({ conditions, sort }: ListRequest<TaskCondition>): boolean =>
  conditions.every(({ index }) => index === "done" || (index !== undefined && sort.column === "due_at")) &&
  conditions.filter(({ index }) => index === "begins").length <= 1;

/** A page of tasks. What is no walk along an index is planned for its values. */
export async function listTaskRows(db: Db, request: ListRequest<TaskCondition>): Promise<TaskJson[]> {
  const conditions = isWalk(request)
    ? request.conditions
    : request.conditions.map((condition) => (condition.index === "done" ? condition : rare(condition)));
  const rows = await listRows(db, { table: "tasks", row: TASK, isWalk }, { ...request, conditions });
  return rows.map((row) => JSON.parse(row) as TaskJson);
}

// tasks_pkey
const byId = sql("task", `SELECT ${TASK} AS row FROM tasks p WHERE p.workspace_id = $workspace AND p.id = $1`);

export async function findTask(db: Db, id: string): Promise<TaskJson | null> {
  const [found] = await db.query<{ row: string }>(byId, [id]);
  return found ? (JSON.parse(found.row) as TaskJson) : null;
}

/** A task, locked until this transaction ends. */
export async function lockTask(db: Db, id: string): Promise<TaskState | null> {
  await lockRow(db, "tasks", id);
  const omit = { workspaceId: true, createdBy: true, createdAt: true, updatedAt: true } as const;
  return db.prisma.task.findFirst({ where: { id }, omit });
}

export async function insertTask(db: Db, task: TaskState, createdBy: string, at: Date): Promise<void> {
  await db.prisma.task.create({ data: { ...task, createdBy, createdAt: at, updatedAt: at }, select: { id: true } });
}

export async function updateTaskRow(db: Db, { id, ...task }: TaskState, at: Date): Promise<void> {
  await db.prisma.task.updateMany({ where: { id }, data: { ...task, updatedAt: at } });
}

export async function deleteTaskRow(db: Db, id: string): Promise<void> {
  await db.prisma.task.deleteMany({ where: { id } });
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Gives the tasks of one record to another, and returns which. `addedTo`: only those that were added to one of these. */
export const giveTasks = async (
  db: Db,
  from: string,
  to: string,
  addedTo: readonly string[] | null,
): Promise<string[]> =>
  idsOf(
    await db.prisma.task.updateManyAndReturn({
      where: { entityId: from, ...(addedTo === null ? {} : { addedTo: { in: [...addedTo] } }) },
      data: { entityId: to },
      select: { id: true },
    }),
  );

/** Takes what is to do from a user, and returns which. */
export const releaseTasksOf = async (db: Db, userId: string, at: Date): Promise<string[]> =>
  idsOf(
    await db.prisma.task.updateManyAndReturn({
      where: { assigneeId: userId, done: false },
      data: { assigneeId: null, updatedAt: at },
      select: { id: true },
    }),
  );

/** How many open tasks each member has, by the id of their user. */
export async function countOpenTasks(db: Db, userId?: string): Promise<Map<string, number>> {
  const counted = await db.prisma.task.groupBy({
    by: ["assigneeId"],
    where: { assigneeId: userId ?? { not: null }, done: false },
    _count: { _all: true },
  });
  return new Map(counted.map(({ assigneeId, _count }) => [assigneeId as string, _count._all]));
}

// tasks of a workspace are read whole: an erasure is rare
const redact = sql(
  "tasks_redact",
  `UPDATE tasks SET title = $3 WHERE workspace_id = $workspace AND ${mentionsAny("title", "$1", "$2")} RETURNING id`,
);

/** Replaces the titles that mention one of these identifiers. */
export async function redactTitles(db: Db, identifiers: readonly string[], title: string): Promise<void> {
  await db.query(redact, [...mentionValues(identifiers), title]);
}

export type DueTask = { id: string; title: string; dueAt: Date; dueOnDay: boolean; entityId: string | null };

/** The longest answer of attention, and some that are left out of it. */
const MOST_DUE = 200;

/** Open tasks that are due before then: of a user and without an assignee; all of them when no user is given. */
export async function findDue(db: Db, before: Date, userId: string | null): Promise<DueTask[]> {
  const dueOf = (whose: { assigneeId?: string | null }) =>
    db.prisma.task.findMany({
      where: { done: false, dueAt: { lt: before }, ...whose },
      select: { id: true, title: true, dueAt: true, dueOnDay: true, entityId: true },
      orderBy: [{ dueAt: "desc" }, { id: "asc" }],
      take: MOST_DUE,
    }) as Promise<DueTask[]>;
  if (userId === null) return dueOf({});
  return [...(await dueOf({ assigneeId: userId })), ...(await dueOf({ assigneeId: null }))];
}

export type OpenTask = { id: string; title: string; due: string | null; assignee: string | null };

// tasks_entity_idx; members_workspace_id_user_id_key and users_pkey for each
const open = sql(
  "tasks_open_of_entity",
  `SELECT p.id, p.title, ${DUE_TEXT} AS due, u.email AS assignee
   FROM (
     SELECT * FROM tasks t WHERE t.workspace_id = $workspace AND t.entity_id = $1 AND NOT t.done ORDER BY t.due_at, t.id LIMIT $2
   ) AS p
   LEFT JOIN members m ON m.workspace_id = $workspace AND m.user_id = p.assignee_id
   LEFT JOIN users u ON u.id = m.user_id ORDER BY p.due_at, p.id`,
);

/** What is to do about a person or company, the next due first. */
export const findOpenTasks = (db: Db, entityId: string, limit: number): Promise<OpenTask[]> =>
  db.query<OpenTask>(open, [entityId, limit]);
