import v8 from "node:v8";
import vm from "node:vm";
import { expect, test } from "vitest";
import { countJson } from "#lib/core/tokens.ts";
import { formsOf } from "./word-forms.ts";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;
const held = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const TEXTS = 200;
const filler = `${"lorem ipsum ".repeat(40)} `;
/** A megabyte that nothing else refers to, with a long word of its own in the middle. */
const text = (index: number): string =>
  Buffer.from(`${filler.repeat(1_000)} remembered${index}word ${filler.repeat(1_000)}`).toString();

test.each<[string, (index: number) => unknown]>([
  [
    "words of notes",
    (index) => {
      const [word = ""] = /remembered\d+word/.exec(text(index)) ?? [];
      return formsOf(word);
    },
  ],
  [
    "members of answers",
    (index) => countJson(`{"a${index}":"${text(index)}","remembered${index}member":"short enough"}`),
  ],
])("%s that are remembered do not keep the text they were cut out of", (_what, remember) => {
  const before = held();
  for (let index = 0; index < TEXTS; index++) remember(index);
  const megabytes = (held() - before) / 2 ** 20;
  expect(megabytes).toBeLessThan(TEXTS / 10);
});
