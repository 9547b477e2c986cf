import { expect, test } from "vitest";
import { sortsOf } from "./sort-words.ts";

test("a list is sorted by each column that can be, in both directions when the API has both", () => {
  const columns = [
    { label: "Name", sort: "name", ascendingFirst: true },
    { label: "Phone" },
    { label: "Last activity", sort: "last_activity" },
    { label: "Score", sort: "score", descendingOnly: true },
  ] as const;
  expect(sortsOf(columns)).toEqual([
    { value: "name_asc", label: "Name, A to Z" },
    { value: "name_desc", label: "Name, Z to A" },
    { value: "last_activity_desc", label: "Last activity, newest first" },
    { value: "last_activity_asc", label: "Last activity, oldest first" },
    { value: "score_desc", label: "Score, highest first" },
  ]);
});
