import { expect, test } from "vitest";
import { arrayText } from "./array-text.ts";

const at = new Date("2026-11-22T17:30:00.123Z");

const cases: [unknown[], string | null][] = [
  [[], "{}"],
  [["a", null, undefined, ""], '{"a",NULL,NULL,""}'],
  [["NULL", 'a "quoted" \\ word', "{a,b}"], '{"NULL","a \\"quoted\\" \\\\ word","{a,b}"}'],
  [[1, -2.5, Number.NaN, true, false, 3n], "{1,-2.5,NaN,true,false,3}"],
  [[at, at, new Date(0)], '{"2026-11-22T17:30:00.123Z","2026-11-22T17:30:00.123Z","1970-01-01T00:00:00.000Z"}'],
  [["a", Buffer.from("b")], null],
  [[["a"]], null],
  [[{}], null],
  [[new Date(Number.NaN)], null],
  [[new Date("+010000-01-01T00:00:00Z")], null],
  [[new Date("-000001-01-01T00:00:00Z")], null],
];

test("elements that many rows have are written, others are left to the driver", () => {
  for (const [values, text] of cases) expect(arrayText(values), String(text)).toBe(text);
});
