import { expect, test } from "vitest";
import { THIS_RECORD } from "./commands.ts";
import { matching } from "./matching.ts";

const command = (label: string, group: string, keywords: string[] = []) => ({
  id: label,
  label,
  group,
  keywords,
  run: () => undefined,
});
const commands = [
  command("People", "Go to", ["contacts"]),
  command("Settings", "Go to", ["workspace"]),
  command("Create an API key", "Create", ["token"]),
  command("Switch to People Inc", "Workspace"),
];
const found = (text: string) => matching(commands, text).flatMap(([, members]) => members.map(({ label }) => label));

test.each([
  ["", ["People", "Settings", "Create an API key", "Switch to People Inc"]],
  ["peo", ["People", "Switch to People Inc"]],
  ["api key", ["Create an API key"]],
  ["cont", ["People"]],
  ["workspace", ["Settings"]],
  ["zzz", []],
])("%j", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("what can be done with the record in view comes first", () => {
  const here = command("Add a note on Lena", THIS_RECORD);
  expect(matching([...commands, here], "")[0]?.[1]).toEqual([here]);
});
