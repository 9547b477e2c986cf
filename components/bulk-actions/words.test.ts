import { describe, expect, test } from "vitest";
import type { BulkAction } from "#lib/domain/crm/bulk-actions/contract.ts";
import { canUndo, detailOf, isUnderWay, shareOf, titleOf } from "./words.ts";

const action = (more: Partial<BulkAction>): BulkAction => ({
  id: "0190a6e0-0000-7000-8000-000000000071",
  what: "people",
  action: "set_stage",
  pipeline_stage: "evaluating",
  owner: null,
  list_id: null,
  filters: {},
  state: "done",
  total: 2_431,
  done: 2_431,
  changed: 2_400,
  unchanged: 31,
  skipped: 0,
  undo: null,
  message: null,
  created_by: "user:1",
  created_at: "2026-06-03T09:00:00.000Z",
  finished_at: "2026-06-03T09:00:12.000Z",
  ...more,
});

const owned = (owner: string) => ({ action: "set_owner", pipeline_stage: null, owner }) as const;
const archive = { action: "archive", pipeline_stage: null } as const;

describe("a bulk action in words", () => {
  test.each([
    [{ state: "queued", total: null }, "Looking for the people that match", null],
    [{ state: "running", done: 400 }, "Moving 2,431 people to Evaluating", "400 of 2,431"],
    [{}, "2,400 people moved to Evaluating.", "31 needed no change."],
    [owned("ann@ours.example"), "2,400 people given to ann@ours.example.", "31 needed no change."],
    [{ ...owned("none"), state: "running", done: 400 }, "Giving 2,431 people to no one", "400 of 2,431"],
    [{ ...archive, what: "companies", changed: 1, unchanged: 0 }, "1 company archived.", null],
    [
      { state: "cancelled", done: 400, changed: 400, unchanged: 0 },
      "Stopped: 400 people moved to Evaluating.",
      "2,031 not done.",
    ],
    [
      { action: "add_to_list", pipeline_stage: null, state: "running", done: 1 },
      "Adding 2,431 people to the list",
      "1 of 2,431",
    ],
    [
      { state: "undoing", undo: { done: 600, restored: 599, kept: 1 } },
      "Undoing the change of 2,400 people",
      "600 of 2,400",
    ],
    [
      { state: "undone", undo: { done: 2_400, restored: 2_399, kept: 1 } },
      "Undone for 2,399 people. 1 was changed since and stays as it is.",
      null,
    ],
    [
      { state: "failed", message: "Something went wrong." },
      "Stopped: 2,400 people moved to Evaluating.",
      "Something went wrong.",
    ],
  ] as [Partial<BulkAction>, string, string | null][])("%j", (more, title, detail) => {
    expect([titleOf(action(more)), detailOf(action(more))]).toEqual([title, detail]);
  });

  test("its share counts what is done, and what is undone", () => {
    expect(shareOf(action({ state: "queued", total: null, done: 0 }))).toBe(0);
    expect(shareOf(action({ state: "running", total: 200, done: 50 }))).toBe(0.25);
    expect(shareOf(action({ state: "undoing", changed: 100, undo: { done: 50, restored: 50, kept: 0 } }))).toBe(0.5);
  });

  test("it can be undone when it has ended and changed something", () => {
    expect([canUndo(action({})), canUndo(action({ changed: 0 })), canUndo(action({ state: "undone" }))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isUnderWay(action({ state: "undoing" }))).toBe(true);
  });
});
