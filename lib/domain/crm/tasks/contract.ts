import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { DayOrTime, Id, nonBlank, Time, Timestamp } from "#lib/core/schema.ts";

const tag = "Tasks";
const shared = { tag, surface: "public" } as const;

const MemberName = z.strictObject({ email: z.string(), name: z.string().nullable() });

export const Task = z
  .strictObject({
    id: Id,
    title: z.string(),
    due: z.string().nullable().describe("A day (`2026-06-03`) or a moment in UTC; null: whenever."),
    entity_id: Id.nullable().describe("The person or company it is about; accepted wherever a focus is taken."),
    entity_name: z.string().nullable(),
    entity_type: z.enum(["person", "company"]).nullable(),
    assignee: MemberName.nullable().describe("The member who is to do it; null: not assigned."),
    done: z.boolean(),
    done_at: Timestamp.nullable(),
    done_by: z.string().nullable().describe("Who marked it as done, such as `user:<id>`."),
    created_by: z.string().describe("Who added it, such as `api_key:<id>`."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Task", description: "Something to do." });
export type Task = z.output<typeof Task>;

const title = nonBlank().trim().max(500).describe("What is to be done: 1 to 500 characters.");
const due = DayOrTime.describe(
  "A day such as 2026-06-03, tomorrow or friday (in UTC), or an ISO 8601 time with an offset.",
);
const focus = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .describe("The person or company it is about: id, e-mail, LinkedIn URL or domain.");
const assignee = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .describe("Who is to do it: a member's e-mail or id, or `me`. `me` is the caller, for a key the member who made it.");

/** A field that null clears. */
const cleared = <T extends z.ZodType>(field: T) =>
  field.nullable().optional().describe(`${field.description} null clears it.`);

const done = z.boolean().describe("Whether it is done.");

const exampleTask: Task = {
  id: "0190a6e0-0000-7000-8000-000000000061",
  title: "Send Anna the pilot offer",
  due: "2026-06-05",
  entity_id: "0190a6e0-0000-7000-8000-000000000010",
  entity_name: "Anna Smith",
  entity_type: "person",
  assignee: { email: "ada@acme.example", name: "Ada Lovelace" },
  done: false,
  done_at: null,
  done_by: null,
  created_by: "user:0190a6e0-0000-7000-8000-000000000002",
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-03T09:00:00.000Z",
};

const TaskId = Id.describe("The task's id.");
const answer = z.strictObject({ task: Task });
const ofTask = ofOne({ id: TaskId, output: answer, missing: "task_not_found" });

export const createTask = defineOperation({
  ...shared,
  name: "createTask",
  summary: "Add a task",
  description:
    "About a person or company that is known, or about neither. An unknown focus is 404 and creates no record.",
  scope: "write",
  http: { method: "POST", path: "/v2/tasks", status: 201 },
  input: z.strictObject({
    title,
    due: due.optional(),
    focus: focus.optional(),
    assignee: assignee.optional(),
    done: done.default(false),
  }),
  output: answer,
  errors: ["title_required", "invalid_focus", "entity_not_found"],
  codes: { missing: { title: "title_required" }, fields: { focus: "invalid_focus" } },
  tool: {
    name: "create_task",
    description: "Add something to do.",
    parameters: ["title", "due", "focus", "assignee"],
  },
  example: {
    input: { title: exampleTask.title, due: "2026-06-05", focus: "anna@acme.com" },
    output: { task: exampleTask },
  },
});

export const taskSorts = ["due_asc", "created_desc"] as const;

export const listTasks = defineOperation({
  ...shared,
  name: "listTasks",
  summary: "List tasks",
  description:
    "What is to do, of all or of a member, about anything or a person or company; with `done=true` what is done. `due_asc` puts tasks without a due date last; the id breaks ties. `cursor` continues behind a page and is stable while tasks are added.",
  scope: "read",
  http: { method: "GET", path: "/v2/tasks" },
  input: z.strictObject({
    focus: z
      .string()
      .trim()
      .min(1)
      .max(2_048)
      .optional()
      .describe("Only tasks about this person or company: id, e-mail, LinkedIn URL or domain."),
    assignee: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe("Only tasks of this member: e-mail address or id, `me`, or `none`: not assigned."),
    done: z.boolean().default(false).describe("true: those that are done; false, the default: those to do."),
    due_before: Time.optional().describe(
      "Only tasks that are due before this time or day. `tomorrow` is one too (in UTC).",
    ),
    due_after: Time.optional().describe("Only tasks that are due at this time or day, or later."),
    sort: z.enum(taskSorts).default("due_asc").describe("What comes first."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    tasks: z.array(Task),
    ...cursorPage,
  }),
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  tool: {
    name: "list_tasks",
    description: "Tasks by due date.",
    parameters: ["focus", "assignee", "done", "due_before"],
  },
  example: {
    input: { assignee: "none", done: false },
    output: { tasks: [{ ...exampleTask, assignee: null }], limit: 50, has_more: false, next_cursor: null },
  },
});

export const getTask = defineOperation({
  ...shared,
  ...ofTask,
  name: "getTask",
  summary: "Get a task",
  description: "With the names of its person or company and of its member as they are now.",
  scope: "read",
  http: { method: "GET", path: "/v2/tasks/:id" },
  example: { input: { id: exampleTask.id }, output: { task: exampleTask } },
});

export const updateTask = defineOperation({
  ...shared,
  name: "updateTask",
  summary: "Change a task, or mark it as done",
  description:
    "Fields not given stay. Of two callers who mark a task as done, the first is kept in `done_at` and `done_by`; `done: false` opens it again.",
  scope: "write",
  http: { method: "PATCH", path: "/v2/tasks/:id" },
  input: z.strictObject({
    id: TaskId,
    title: title.optional(),
    due: cleared(due),
    focus: cleared(focus),
    assignee: cleared(assignee),
    done: done.optional(),
  }),
  output: answer,
  errors: ["task_not_found", "title_required", "invalid_focus", "entity_not_found"],
  codes: {
    missing: { title: "title_required" },
    fields: { id: "task_not_found", focus: "invalid_focus" },
  },
  tool: {
    name: "update_task",
    description: "Change a task, or mark it as done.",
    parameters: ["id", "done", "title", "due"],
  },
  example: {
    input: { id: exampleTask.id, done: true },
    output: {
      task: {
        ...exampleTask,
        done: true,
        done_at: "2026-06-04T15:00:00.000Z",
        done_by: exampleTask.created_by,
        updated_at: "2026-06-04T15:00:00.000Z",
      },
    },
  },
});

export const deleteTask = defineOperation({
  ...shared,
  ...ofTask,
  name: "deleteTask",
  summary: "Delete a task",
  description: "The answer is the task as it was. POST /v2/tasks with its fields adds it again.",
  scope: "write",
  http: { method: "DELETE", path: "/v2/tasks/:id" },
  example: { input: { id: exampleTask.id }, output: { task: exampleTask } },
});
