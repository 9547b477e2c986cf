/** Values that are of the right type and meant to break something: never 500, whatever the field. */
import { describe, expect, test } from "vitest";
import { pathFields } from "#lib/core/operation.ts";
import { encodeCursor } from "#lib/core/paging.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, everyOperation } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { sender } from "./surface.ts";
import { type Schema, schemaOf } from "./wrong-values.ts";

const server = useServer();
const { send } = sender(server.url);

const texts = [
  "",
  " ",
  "\t\r\n",
  "'",
  '"',
  "\\",
  "%",
  "_",
  "%_\\",
  "'; DROP TABLE observations; --",
  "$1",
  "$" + "{x}",
  "{{x}}",
  "<script>alert(1)</script>",
  "../../../etc/passwd",
  "null",
  "NaN",
  "-0",
  "1e309",
  "0x10",
  "٣",
  "\u202e\u200b\ufeff",
  "\ufffd\uffff",
  "👩‍👩‍👧‍👦".repeat(20),
  "e\u0301".repeat(50),
  "ﷺ".repeat(30),
  "İıſKÅ",
  "constructor",
  "__proto__",
  "x".repeat(5_000),
  '( & | ! : * <-> "',
  "((((((((((",
  "a & !b | c:*",
];
const numbers = [
  0,
  -1,
  -0.5,
  1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e-300,
  1e300,
];
const times = [
  "0001-01-01",
  "9999-12-31",
  "1969-12-31T23:59:59Z",
  "2026-06-30T23:59:60Z",
  "2026-06-03T10:00:00+14:00",
  "-2026-01-01",
];

/** Cursors as ours look, with parts that are not ours. */
const cursors = [
  ...[
    ["x"],
    ["x", "y"],
    [null, null],
    [1, 2],
    [1e300, "x"],
    ["2026-13-01", "x"],
    ["", ""],
    ["x", "y", "z"],
    [1, 2, 3, 4],
    ["'; --", "'; --"],
  ].map((parts) => encodeCursor(parts)),
  encodeCursor(["9999-99-99T00:00:00.000Z", "0190a6e0-0000-7000-8000-000000000001"]),
  encodeCursor([Number.MAX_SAFE_INTEGER, "0190a6e0-0000-7000-8000-000000000001"]),
  "",
  "x",
  "bnVsbA",
  "e30",
  "W10",
];

/** What can stand between two slashes: not nothing, and no more than the server looks at. */
const isPathPart = (value: unknown): boolean =>
  value !== "" && !String(value).includes("../") && String(value).length < 2_000;

function hostileValues(field: string, { type, format, anyOf }: Schema): unknown[] {
  if (field === "cursor") return cursors;
  if (format === "date-time") return times;
  const types = new Set([type ?? [], ...(anyOf ?? []).map((branch) => branch.type ?? [])].flat());
  return [
    ...(types.has("string") || types.size === 0 ? texts : []),
    ...(types.has("integer") || types.has("number") ? numbers : []),
    ...(types.has("array") ? [[], [""], Array(3_000).fill("x"), ["a,b", "%", "\\"]] : []),
    ...(types.size === 0
      ? [
          {},
          [],
          { a: { b: [] } },
          true,
          0,
          Object.fromEntries(texts.filter((text) => text !== "__proto__").map((text) => [text, text])),
        ]
      : []),
  ];
}

describe.each(everyOperation)("%s", (name, operation) => {
  test("answers hostile text, numbers, times and cursors without a fault of ours", async () => {
    const { stage, as } = await castOf(operation);
    const right = await inputOf(name, stage);
    const inPath = pathFields(operation.contract);
    for (const [field, schema] of Object.entries(schemaOf(operation.contract).properties ?? {})) {
      for (const value of hostileValues(field, schema)) {
        if (inPath.includes(field) && !isPathPart(value)) continue;
        const { status, text } = await send(operation, { ...right, [field]: value }, as, ({ init }) => {
          delete init.headers["x-request-id"];
        });
        expect(status, `${field}=${JSON.stringify(value)?.slice(0, 100)}: ${text.slice(0, 300)}`).toBeLessThan(500);
      }
    }
  });
});
