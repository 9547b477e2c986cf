import { expect, test } from "vitest";
import { countIn, dateIn, namesIn, safeCell, valueIn, valuesIn } from "./cells.ts";

test.each([
  ["  Anna ", "Anna"],
  ["n/a", null],
  ["-", null],
  ["NULL", null],
  ["email_not_unlocked@domain.com", null],
  ["", null],
  ["a\u0000b", "ab"],
  ["Na", "Na"],
])("the cell %j has the value %j", (cell, value) => {
  expect(valueIn(cell)).toBe(value);
});

test.each([
  ["a@x.com; b@x.com", ["a@x.com", "b@x.com"]],
  ["a@x.com,b@x.com", ["a@x.com", "b@x.com"]],
  ["<a@x.com> / -", ["a@x.com", "/"]],
  ["mailto:a@x.com", ["a@x.com"]],
])("%j holds %j", (text, values) => {
  expect(valuesIn(text)).toEqual(values);
});

test.each([
  ["12 Mar 2024", "2024-03-12"],
  ["12-Mar-2024", "2024-03-12"],
  ["Mar 12, 2024", "2024-03-12"],
  ["2024-03-12", "2024-03-12"],
  ["31.12.2024", "2024-12-31"],
  ["13/02/2024", "2024-02-13"],
  ["02/13/2024", "2024-02-13"],
  ["03/04/2024", null],
  ["31.02.2024", null],
  ["soon", null],
])("%j is the day %j", (text, day) => {
  expect(dateIn(text)?.time.toISOString().slice(0, 10) ?? null).toBe(day);
});

test.each([
  ["1,200", 1200],
  ["1.200", 1200],
  ["51-200", 51],
  ["10k", 10_000],
  ["10,001+", 10_001],
  ["120", 120],
  ["many", null],
])("%j is the number %j", (text, number) => {
  expect(countIn(text)).toBe(number);
});

test.each([
  ["Anna Maria Smith", { first_name: "Anna", last_name: "Maria Smith" }],
  ["Smith, Anna", { first_name: "Anna", last_name: "Smith" }],
  ["anna@acme.com", {}],
])("the name %j is %j", (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test.each([
  ["=1+1", "'=1+1"],
  ["+49", "'+49"],
  ["@x", "'@x"],
  ["-1", "'-1"],
  ["Anna", "Anna"],
])("the cell %j is written %j", (text, written) => {
  expect(safeCell(text)).toBe(written);
});
