import fc from "fast-check";
import { expect, test } from "vitest";
import { reaches, type ShareLevel, shareLevels } from "../words.ts";
import { shareOf } from "./sharing.ts";

const anna = "0190a6e0-0000-7000-8000-000000000001";
const ben = "0190a6e0-0000-7000-8000-000000000002";
const merged = "0190a6e0-0000-7000-8000-000000000004";
const thread = "5a2b1c3d-0000-8000-8000-000000000003";

test.for<[string, [string, ShareLevel][], ShareLevel, ShareLevel]>([
  ["as the mailbox says", [], "everything", "metadata"],
  ["what is set for the thread counts", [[thread, "everything"]], "everything", "everything"],
  ["a thread may be closed", [[thread, "nothing"]], "everything", "nothing"],
  ["what is set for a person counts", [[anna, "subject"]], "everything", "subject"],
  [
    "the least open of two people",
    [
      [anna, "subject"],
      [ben, "metadata"],
    ],
    "everything",
    "metadata",
  ],
  [
    "the thread before its people",
    [
      [anna, "subject"],
      [thread, "everything"],
    ],
    "everything",
    "everything",
  ],
  [
    "who is never shared is not, in a shared thread either",
    [
      [anna, "nothing"],
      [thread, "everything"],
    ],
    "everything",
    "nothing",
  ],
  ["never more than the workspace allows", [[thread, "everything"]], "subject", "subject"],
  ["what was set for a record that was merged into one of them counts", [[merged, "nothing"]], "everything", "nothing"],
  ["of others nothing counts", [["0190a6e0-0000-7000-8000-000000000009", "nothing"]], "everything", "metadata"],
])("%s", ([, apart, ceiling, expected]) => {
  const share = shareOf(
    { thread, entities: [[anna], [ben, merged]] },
    { mailbox: "metadata", apart: new Map(apart), ceiling },
  );
  expect(share).toBe(expected);
});

const level = fc.constantFrom(...shareLevels);

test("a lower ceiling never shows more", () => {
  fc.assert(
    fc.property(level, level, level, fc.option(level), fc.option(level), (mailbox, low, high, ofThread, ofAnna) => {
      fc.pre(reaches(high, low));
      const apart = new Map([
        ...(ofThread ? ([[thread, ofThread]] as const) : []),
        ...(ofAnna ? ([[anna, ofAnna]] as const) : []),
      ]);
      const under = (ceiling: ShareLevel) => shareOf({ thread, entities: [[anna]] }, { mailbox, apart, ceiling });
      expect(reaches(under(high), under(low))).toBe(true);
      expect(reaches(low, under(low))).toBe(true);
      if (ofAnna === "nothing") expect(under(high)).toBe("nothing");
    }),
  );
});
