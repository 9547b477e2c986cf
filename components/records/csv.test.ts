import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("cells are quoted where they must be", () => {
  expect(
    csvOf(
      ["a", "b"],
      [
        ['say "hi"', "x,y"],
        ["two\nlines", "plain"],
      ],
    ),
  ).toBe('a,b\r\n"say ""hi""","x,y"\r\n"two\nlines",plain');
});

test.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
  "a cell that begins with %j is text to a spreadsheet",
  (begin) => {
    expect(csvOf([], [[`${begin}cmd|' /C calc'!A0`]])).toMatch(/^\r\n"?'/);
    expect(csvOf([], [[`${begin}SUM(A1:A9)`]])).toMatch(/^\r\n"?'/);
  },
);

test("formulas become text", () => {
  expect(csvOf(["v"], [["=HYPERLINK(1)"], ["@cmd"], ["-2+3|x"], ["+4930123456"], ["-12.5"]])).toBe(
    "v\r\n'=HYPERLINK(1)\r\n'@cmd\r\n'-2+3|x\r\n+4930123456\r\n-12.5",
  );
});
