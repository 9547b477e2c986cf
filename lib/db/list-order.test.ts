import { expect, test } from "vitest";
import { binding, orderOf, type Position, partsAfter, type Sort } from "./list-order.ts";

const at = (more: Partial<Sort> = {}): Sort => ({
  column: "at",
  type: "timestamptz",
  nullable: false,
  descending: false,
  ...more,
});

// What is never null does not mention NULLS, so that an index on it serves the order.
test.each<[Partial<Sort>, string]>([
  [{}, "p.at ASC, p.id ASC"],
  [{ descending: true }, "p.at DESC, p.id DESC"],
  [{ nullsLast: true }, "p.at ASC, p.id ASC"],
  [{ nullable: true }, "p.at ASC NULLS FIRST, p.id ASC"],
  [{ nullable: true, nullsLast: true }, "p.at ASC NULLS LAST, p.id ASC"],
  [{ nullable: true, descending: true }, "p.at DESC NULLS LAST, p.id DESC"],
])("the order of %j is %s", (more, order) => {
  expect(orderOf(at(more))).toBe(order);
  expect(orderOf(at(more), "walks.key", "walks.at")).toBe(
    order.replace("p.at", "walks.at").replace("p.id", "walks.key"),
  );
});

const place: Position = { value: "2026-06-03T00:00:00Z", id: "an id" };
const nothing: Position = { value: null, id: "an id" };

test.each<[Partial<Sort>, Position, string[]]>([
  [{}, place, ["(p.at, p.id) > ($3::timestamptz, $2::uuid)"]],
  [{ descending: true }, place, ["(p.at, p.id) < ($3::timestamptz, $2::uuid)"]],
  [{ type: "int" }, place, ["(p.at, p.id) > ($3::int, $2::uuid)"]],
  [{ nullable: true }, place, ["(p.at, p.id) > ($3::timestamptz, $2::uuid)"]],
  [{ nullable: true, nullsLast: true }, place, ["(p.at, p.id) > ($3::timestamptz, $2::uuid)", "p.at IS NULL"]],
  [{ nullable: true, descending: true }, place, ["(p.at, p.id) < ($3::timestamptz, $2::uuid)", "p.at IS NULL"]],
  [{ nullable: true }, nothing, ["p.at IS NULL AND p.id > $2::uuid", "p.at IS NOT NULL"]],
  [{ nullable: true, nullsLast: true }, nothing, ["p.at IS NULL AND p.id > $2::uuid"]],
  [{ nullable: true, descending: true }, nothing, ["p.at IS NULL AND p.id < $2::uuid"]],
])("after a place, %j goes on at %j: %j", (more, after, parts) => {
  const values: unknown[] = ["before"];
  expect(partsAfter(at(more), after, binding(values))).toEqual(parts);
  expect(values).toEqual(["before", "an id", ...(after.value === null ? [] : [after.value])]);
});

test("a condition's values are numbered behind those of its statement, in order", () => {
  const values: unknown[] = [];
  const bind = binding(values);
  expect(bind({ text: "p.a BETWEEN ? AND ?", values: [1, 2] })).toBe("p.a BETWEEN $1 AND $2");
  expect(bind({ text: "p.b", values: [] })).toBe("p.b");
  expect(bind({ text: "p.c = ?", values: ["x"] })).toBe("p.c = $3");
  expect(values).toEqual([1, 2, "x"]);
});

test.each([
  ["p.a = ?", [1, 2]],
  ["p.a BETWEEN ? AND ?", [1]],
  ["p.a IS NULL", [1]],
])("a piece with another number of values than places is refused: %s with %j", (text, values) => {
  expect(() => binding([])({ text, values })).toThrow("values for");
});
