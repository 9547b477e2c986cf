import v8 from "node:v8";
import vm from "node:vm";
import { expect, test } from "vitest";
import { countJson } from "#lib/text/tokens.ts";
import { formsOf } from "./word-forms.ts";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;
const held = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const filler = "lorem ipsum ".repeat(10_000);
/** A quarter of a megabyte that nothing else refers to, with a long word of its own in the middle. */
const text = (index: number): string => Buffer.from(`${filler}remembered${index}word ${filler}`).toString();

test.each<[string, number, (index: number) => unknown]>([
  ["words of notes", 400, (index) => formsOf(/remembered\d+word/.exec(text(index))?.[0] ?? "")],
  ["members of answers", 60, (index) => countJson(`{"a${index}":"${text(index)}","remembered${index}member":"short"}`)],
])("%s that are remembered do not keep the text they were cut out of", (_what, texts, remember) => {
  remember(texts);
  const before = held();
  for (let index = 0; index < texts; index++) remember(index);
  const quarters = (held() - before) / text(0).length;
  expect(quarters).toBeLessThan(texts / 5);
});
