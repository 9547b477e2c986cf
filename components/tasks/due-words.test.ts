import { expect, test } from "vitest";
import { dueText, dueWords } from "./due-words.ts";

const now = new Date(2026, 5, 3, 14, 0);
const at = (day: number, hour: number) => new Date(2026, 5, day, hour, 30).toISOString();

test.each([
  ["2026-06-03", "Today", "today"],
  ["2026-06-02", "Yesterday", "overdue"],
  ["2026-05-01", "May 1", "overdue"],
  ["2026-06-04", "Tomorrow", "later"],
  ["2026-06-06", "Saturday", "later"],
  ["2026-06-12", "Jun 12", "later"],
  ["2027-01-02", "Jan 2, 2027", "later"],
  [at(3, 9), "Today 9:30 AM", "overdue"],
  [at(3, 18), "Today 6:30 PM", "today"],
  [at(4, 8), "Tomorrow 8:30 AM", "later"],
])("%s reads %s", (due, label, when) => {
  const words = dueWords(due, now);
  expect({ ...words, label: words?.label.replaceAll(/\s/g, " ") }).toEqual({ label, when });
});

test("a due date is edited as a day, with its time if it has one", () => {
  expect([null, "2026-06-05", at(5, 9)].map(dueText)).toEqual(["", "2026-06-05", "2026-06-05 09:30"]);
  expect(dueWords(null, now)).toBeNull();
});
