import { describe, expect, test } from "vitest";
import { afterChange, momentOf, type TaskState } from "./rules.ts";

const at = new Date("2026-06-04T15:00:00Z");
const day = { time: new Date("2026-06-05T00:00:00Z"), isDay: true };
const task: TaskState = {
  id: "0190a6e0-0000-7000-8000-000000000061",
  title: "Call Anna",
  dueAt: null,
  dueOnDay: false,
  entityId: "a",
  addedTo: "b",
  assigneeId: "u",
  done: false,
  doneAt: null,
  doneBy: null,
};
const finished = { ...task, done: true, doneAt: new Date(0), doneBy: "user:1" };

describe("a changed task", () => {
  test.each([
    ["nothing given stays", task, {}, task],
    ["a title", task, { title: "Write" }, { ...task, title: "Write" }],
    ["a day", task, { due: day }, { ...task, dueAt: day.time, dueOnDay: true }],
    ["no due date", { ...task, dueAt: at, dueOnDay: true }, { due: null }, task],
    ["another record is where it was added to", task, { entityId: "c" }, { ...task, entityId: "c", addedTo: "c" }],
    ["the same record keeps where it was added to", task, { entityId: "a" }, task],
    ["no record", task, { entityId: null }, { ...task, entityId: null, addedTo: null }],
    ["nobody", task, { assigneeId: null }, { ...task, assigneeId: null }],
    ["done says when and who", task, { done: true }, { ...task, done: true, doneAt: at, doneBy: "user:2" }],
    ["done again stays with the first", finished, { done: true }, finished],
    ["open again forgets both", finished, { done: false }, task],
  ])("%s", (_, before, change, after) => expect(afterChange(before, change, "user:2", at)).toEqual(after));
});

test.each([
  [null, null],
  ["2026-06-05", "2026-06-05T00:00:00.000Z"],
  ["2026-06-05T09:30:00.000Z", "2026-06-05T09:30:00.000Z"],
])("%s is sorted as %s", (due, moment) => expect(momentOf(due)).toBe(moment));
