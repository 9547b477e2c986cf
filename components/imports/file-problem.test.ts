import { expect, test } from "vitest";
import { createImport } from "#lib/domain/workspace/imports/contract.ts";
import { fileProblem, MOST_BYTES } from "./file-problem.ts";

const file = (name: string, size: number, type = "") => ({ name, size, type });

test("the server takes files of the same size", () => {
  expect(MOST_BYTES).toBe(createImport.http.body?.file?.limit);
});

test.each([
  ["a CSV file", [file("a.csv", 5)]],
  ["tabs", [file("A.TSV", 5)]],
  ["the largest", [file("a.csv", MOST_BYTES)]],
  ["a CSV file with another ending", [file("export", 5, "text/csv")]],
])("%s can be uploaded", (_, files) => {
  expect(fileProblem(files)).toBeNull();
});

test.each([
  [[], "There is no file in what you dropped."],
  [[file("a.csv", 5), file("b.csv", 5)], "Choose one file at a time; these are 2."],
  [[file("a.csv", 0)], "a.csv is empty."],
  [[file("a.pdf", 5)], "a.pdf is not a CSV file."],
  [
    [file("people.xlsx", 5)],
    "people.xlsx is a spreadsheet, not a CSV file. In the spreadsheet, choose “Save as” or “Export”, and CSV.",
  ],
  [[file("a.csv", MOST_BYTES + 1)], "a.csv is larger than 200 MB. Split it into several."],
  [[file("a.png", 0)], "a.png is not a CSV file and is empty."],
  [[file("a.zip", 2 * MOST_BYTES)], "a.zip is not a CSV file and is larger than 200 MB. Split it into several."],
])("other files are refused in one sentence", (files, sentence) => {
  expect(fileProblem(files)).toBe(sentence);
});
