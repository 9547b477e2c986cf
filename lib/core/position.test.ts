import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answeredByReplica, atPosition, formatPosition, parsePosition, reached, seenByCaller } from "./position.ts";

describe("a position", () => {
  test("is read as it is written, and grows with the log", () => {
    const position = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(parsePosition(formatPosition(a))).toBe(a);
        expect((parsePosition(formatPosition(a)) as bigint) < (parsePosition(formatPosition(b)) as bigint)).toBe(a < b);
      }),
    );
  });

  test.each([
    ["16/B374D848", 0x16_b374_d848n],
    ["16/b374d848", 0x16_b374_d848n],
    ["0/1", 1n],
    ["FFFFFFFF/FFFFFFFF", 0xffff_ffff_ffff_ffffn],
  ])("%s is %d, and is written in capitals", (text, position) => {
    expect(parsePosition(text)).toBe(position);
    expect(formatPosition(position)).toBe(text.toUpperCase());
  });

  test.each([
    undefined,
    null,
    "",
    "16",
    "16/",
    "/16",
    "16/G",
    "123456789/0",
    "0/123456789",
    "16/B374D848; Path=/",
    "0x1/2",
  ])("%s is none", (text) => {
    expect(parsePosition(text)).toBeNull();
  });
});

test("a request keeps its own position when a replica answers, and gets the latest of this process when the primary does", async () => {
  expect(seenByCaller()).toBeNull();
  const none = await atPosition(null, async () => seenByCaller());
  expect(none).toEqual({ result: null, seen: null });
  reached(100n);
  reached(90n);
  reached(null);
  const byPrimary = await atPosition(50n, async () => seenByCaller());
  expect(byPrimary).toEqual({ result: 50n, seen: 100n });
  expect((await atPosition(200n, async () => undefined)).seen).toBe(200n); // another process wrote that
  const byReplica = await atPosition(50n, async () => {
    answeredByReplica();
    return "read";
  });
  expect(byReplica).toEqual({ result: "read", seen: 50n });
  answeredByReplica(); // outside of a request it is null
  expect(seenByCaller()).toBeNull();
});
