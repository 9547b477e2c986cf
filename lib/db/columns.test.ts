import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";

type Row = { id: string; at: number | null };

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
    ["kind", "text", () => "x"],
  ],
  { alias: "n", first: 2, keys: ["id"] },
);

test("a statement's lists and its values follow from one table of columns, in its order", () => {
  expect(columns).toMatchObject({
    names: "id, author, seen_at, kind",
    selected: "n.id, $1, n.seen_at::timestamptz, n.kind",
    arrays: "$2::uuid[], $3::text[], $4::text[]",
    given: "id, seen_at, kind",
    merged: "seen_at = greatest(t.seen_at, excluded.seen_at), kind = excluded.kind",
  });
  expect(
    columns.values([
      { id: "a", at: 1 },
      { id: "b", at: null },
    ]),
  ).toEqual([
    ["a", "b"],
    [1, null],
    ["x", "x"],
  ]);
});
