import { describe, expect, test } from "vitest";
import { DAY_MS } from "#lib/text/time.ts";
import { conflictItem, darkItem, decayItem, meetingItem, mostUrgent, taskItem } from "./rules.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
const who = (entityId = "a") => ({ entityId, name: "Anna Smith" });
const dark = (days: number, stage: "evaluating" | "interested" = "evaluating", id = "a") =>
  darkItem({ ...who(id), stage, lastActivityAt: ago(days) }, now);
const meeting = (days: number, id = "a") => meetingItem({ ...who(id), at: ago(-days), label: "Pilot review" }, now);
const conflict = (days: number, id = "a") =>
  conflictItem({ ...who(id), property: "job_title", value: "CFO", others: [{ value: "CEO", at: ago(days) }] }, now);
const decay = (days: number, id = "a") =>
  decayItem({ ...who(id), stage: "evaluating", property: "job_title", value: "CFO", lastObservedAt: ago(days) }, now);

const task = (days: number, id = "t") => taskItem({ ...who(), id, title: "Call", dueAt: ago(days) }, now);

describe("items", () => {
  test.each([
    [meeting(0.02), "upcoming_meeting", "Meeting within the hour, at 2026-11-21 12:28 UTC: Pilot review.", 0],
    [meeting(1.4 / 24), "upcoming_meeting", "Meeting in 1 hour, at 2026-11-21 13:24 UTC: Pilot review.", 0],
    [meeting(0.2), "upcoming_meeting", "Meeting in 5 hours, at 2026-11-21 16:48 UTC: Pilot review.", 0],
    [meeting(1), "upcoming_meeting", "Meeting in 1 day, at 2026-11-22 12:00 UTC: Pilot review.", -1],
    [meeting(0.6), "upcoming_meeting", "Meeting in 14 hours, at 2026-11-22 02:24 UTC: Pilot review.", -1],
    [meeting(1.6), "upcoming_meeting", "Meeting in 2 days, at 2026-11-23 02:24 UTC: Pilot review.", -2],
    [meeting(2.9), "upcoming_meeting", "Meeting in 3 days, at 2026-11-24 09:36 UTC: Pilot review.", -3],
    [meeting(3), "upcoming_meeting", "Meeting in 3 days, at 2026-11-24 12:00 UTC: Pilot review.", -3],
    [conflict(2), "conflict", "Sources disagree about job title: “CFO” against “CEO”.", 2],
    [dark(16), "going_dark", "Evaluating, and silent for 16 days.", 16],
    [task(0), "task_due", "Task due today: “Call”.", 0],
    [task(1), "task_due", "Task due yesterday: “Call”.", 1],
    [task(9), "task_due", "Task due 9 days ago: “Call”.", 9],
    [decay(100), "decayed_fact", "job title “CFO” was last confirmed 100 days ago.", 100],
  ])("%#: say what is the matter and since when", ({ item }, kind, what, age) => {
    expect(item).toMatchObject({ kind, what, age_days: age, entity_name: "Anna Smith" });
    expect(Object.is(item.age_days, -0)).toBe(false);
    expect(item.suggested_action.length).toBeGreaterThan(20);
  });
});

describe("urgency", () => {
  test.each([
    ["a nearer meeting", meeting(1), meeting(5)],
    ["a newer conflict", conflict(1), conflict(30)],
    ["silence near the deal", dark(20), dark(20, "interested")],
    ["a fresher silence", dark(15), dark(120)],
    ["a meeting, to a fresh conflict", meeting(1), conflict(20)],
    ["a meeting tomorrow, to a late task", meeting(1), task(3)],
    ["a late task, to one of today", task(2), task(0)],
    ["silence, to what decayed", dark(20), decay(200)],
  ])("%s is more urgent", (_, first, second) => {
    expect(first.urgency).toBeGreaterThan(second.urgency);
  });

  test("one item of a kind for each entity, the most urgent, and at most the limit", () => {
    const items = mostUrgent([decay(100), decay(300), conflict(1), dark(20), dark(30, "interested", "b")], 3);
    expect(items.map(({ kind, entity_id }) => [kind, entity_id])).toEqual([
      ["conflict", "a"],
      ["going_dark", "a"],
      ["decayed_fact", "a"],
    ]);
    expect(items[2]?.age_days).toBe(300);
  });

  test("a conflict offers the present value and those that disagree", () =>
    expect(conflict(2).item.values).toEqual(["CFO", "CEO"]));

  test("a conflict about the employer names the companies", () => {
    const names = new Map([["c1", "Acme"]]);
    const item = conflictItem(
      {
        ...{ entityId: "a", name: "Anna", property: "works_at", value: "c1", names },
        others: [{ value: "c2", at: new Date(now) }],
      },
      new Date(now),
    ).item;
    expect(item).toMatchObject({ values: ["c1", "c2"], names: { c1: "Acme" } });
    expect(item.what).toBe("Sources disagree about the employer: “Acme” against “c2”.");
  });

  test("each task counts by itself", () => {
    expect(mostUrgent([task(0), task(0, "u"), task(0)], 10)).toHaveLength(2);
  });

  test("somebody with a meeting ahead is not silent", () => {
    expect(mostUrgent([dark(20), meeting(2)], 10).map(({ kind }) => kind)).toEqual(["upcoming_meeting"]);
  });
});
