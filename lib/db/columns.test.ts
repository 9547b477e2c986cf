import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";

type Row = { id: string; at: number | null; kind?: string };

const columns = columnsOf<Row>(
  [
    ["id", "uuid", (row) => row.id],
    { name: "author", from: "$1" },
    [
      "seen_at",
      "text",
      (row) => row.at,
      { from: "n.seen_at::timestamptz", merged: "greatest(t.seen_at, excluded.seen_at)" },
    ],
    ["kind", "text", (row) => row.kind ?? "x", { as: "row_kind", required: true }],
  ],
  { alias: "n", first: 2, keys: ["id"] },
);

test("a statement's lists and its values follow from one table of columns, in its order", () => {
  expect(columns).toMatchObject({
    names: "id, author, seen_at, kind",
    selected: "n.id, $1, n.seen_at::timestamptz, coalesce(n.kind, ($4::text[])[1])::row_kind",
    arrays: "$2::uuid[], $3::text[], $4::text[]",
    given: "id, seen_at, kind",
    merged: "seen_at = greatest(t.seen_at, excluded.seen_at), kind = excluded.kind",
  });
  expect(columns.changes("t")).toBe(
    "(t.seen_at, t.kind) IS DISTINCT FROM (greatest(t.seen_at, excluded.seen_at), excluded.kind)",
  );
});

test.each<[string, Row[], unknown[][]]>([
  [
    "values that differ are sent for each row",
    [
      { id: "a", at: 1, kind: "y" },
      { id: "b", at: null },
    ],
    [
      ["a", "b"],
      [1, null],
      ["y", "x"],
    ],
  ],
  [
    "one that all rows have is sent once, where none can be null",
    [
      { id: "a", at: 1 },
      { id: "b", at: 1 },
    ],
    [["a", "b"], [1, 1], ["x"]],
  ],
  [
    "where all are null nothing is sent",
    [
      { id: "a", at: null },
      { id: "b", at: null },
    ],
    [["a", "b"], [], ["x"]],
  ],
  ["one row", [{ id: "a", at: null }], [["a"], [], ["x"]]],
  ["none", [], [[], [], []]],
])("%s", (_what, rows, sent) => {
  expect(columns.values(rows)).toEqual(sent);
});
