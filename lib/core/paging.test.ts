import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { bootWith, ctx, current, old, REFUSED, refusal } from "#lib/testing/cursors.fixture.ts";
import { newId } from "./ids.ts";
import { cursorsOf, pageOf, sealedCursorsOf } from "./paging.ts";

beforeEach(() => bootWith(current));

const Any = z.array(z.union([z.string(), z.number(), z.null()]));
const part = fc.oneof(fc.string(), fc.integer(), fc.constant(null));

describe.each([
  ["a cursor", cursorsOf],
  ["a sealed cursor", sealedCursorsOf],
])("%s", (_, cursors) => {
  const list = cursors("listThings", Any);

  test("comes back as it was, and is safe in a query string without escaping", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (position) => {
        const cursor = list.encode(ctx, position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(list.decode(ctx, cursor)).toEqual(position);
      }),
    );
  });

  test("of no list is refused in words", () => {
    expect(() => list.decode(ctx, "x")).toThrow("cursor is not one this endpoint returned.");
  });

  test("of another list is refused by name", () => {
    const cursor = list.encode(ctx, [1]);
    expect(refusal(() => cursors("listOthers", Any).decode(ctx, cursor))).toBe(REFUSED);
  });

  test("whose parts another version of the list gave out is refused by name", () => {
    const numbers = cursors("listThings", z.tuple([z.int()]));
    for (const parts of [[], ["1"], [1.5], [1, 2], [null]])
      expect(
        refusal(() => numbers.decode(ctx, list.encode(ctx, parts))),
        JSON.stringify(parts),
      ).toBe(REFUSED);
  });

  test("with more or less at its end is refused by name", () => {
    const cursor = list.encode(ctx, [1, "x"]);
    for (const other of [cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(4)])
      expect(
        refusal(() => list.decode(ctx, other)),
        other,
      ).toBe(REFUSED);
  });

  test("that is not ours is refused by name", () => {
    fc.assert(
      fc.property(fc.string(), (text) => refusal(() => list.decode(ctx, text)) === REFUSED),
      { examples: [["W10"], ["bnVsbA"], ["WzE2Njc2OV0"], ["%"], [""], ["A".repeat(2_000)]] },
    );
  });
});

describe("a sealed cursor", () => {
  const list = sealedCursorsOf("listThings", Any);

  test("reveals nothing about its content, not even by its length", () => {
    const lengths = new Set<number>();
    for (const seq of [1, 166_769, 9_007_199_254_740_991]) {
      const cursor = list.encode(ctx, [seq]);
      const bytes = Buffer.from(cursor, "base64url").toString("latin1");
      expect(bytes + cursor).not.toContain(seq === 1 ? "[1]" : String(seq));
      lengths.add(cursor.length);
    }
    // Names and times, as the positions of lists have them.
    for (const text of ["x", "x".repeat(33), "x".repeat(60)]) lengths.add(list.encode(ctx, [text]).length);
    expect(lengths.size).toBe(1);
  });

  test("is different each time, even for the same position", () => {
    const cursors = new Set(Array.from({ length: 2_000 }, () => list.encode(ctx, [1])));
    expect(cursors.size).toBe(2_000);
  });

  test("that was changed anywhere is refused by name", () => {
    const bytes = Buffer.from(list.encode(ctx, [1, "x"]), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(refusal(() => list.decode(ctx, changed.toString("base64url")))).toBe(REFUSED);
    }
  });

  test("of another workspace is refused by name", () => {
    const cursor = list.encode(ctx, [1]);
    expect(refusal(() => list.decode({ workspaceId: newId() }, cursor))).toBe(REFUSED);
  });

  test("can be read with every key of the installation, and with no other", () => {
    bootWith(old);
    const cursor = list.encode(ctx, [1]);
    bootWith(current, old);
    expect(list.decode(ctx, cursor)).toEqual([1]);
    expect(list.decode(ctx, list.encode(ctx, [2]))).toEqual([2]);
    bootWith(current);
    expect(refusal(() => list.decode(ctx, cursor))).toBe(REFUSED);
  });
});

test("an installation without an encryption key seals nothing", () => {
  bootWith();
  expect(() => sealedCursorsOf("listThings", Any).encode(ctx, [1])).toThrow("no encryption key is configured");
});

test("a page has as many rows as were asked for, and says where the next begins when one more was read", () => {
  const cursors = cursorsOf("listThings", z.tuple([z.int()]));
  const pageWith = (rows: number[]) => pageOf(ctx, cursors, { rows, limit: 3 }, (row) => [row]);
  for (const found of [[], [1], [1, 2, 3]])
    expect(pageWith(found)).toEqual({ shown: found, next: { has_more: false, next_cursor: null } });
  const { shown, next } = pageWith([1, 2, 3, 4]);
  expect([shown, next.has_more, cursors.decode(ctx, String(next.next_cursor))]).toEqual([[1, 2, 3], true, [3]]);
});
