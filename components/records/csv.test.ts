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

test("what a spreadsheet would run is text", () => {
  expect(csvOf(["v"], [["=HYPERLINK(1)"], ["@cmd"], ["-2+3|x"], ["+4930123456"], ["-12.5"]])).toBe(
    "v\r\n'=HYPERLINK(1)\r\n'@cmd\r\n'-2+3|x\r\n+4930123456\r\n-12.5",
  );
});
