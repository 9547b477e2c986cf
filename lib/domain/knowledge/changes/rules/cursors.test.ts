import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { newId } from "#lib/core/ids.ts";
import { sealedCursorsOf } from "#lib/core/paging.ts";
import { bootWith, ctx, current, old, REFUSED, refusal } from "#lib/testing/cursors.fixture.ts";
import { rowCursorsOf } from "./cursors.ts";

beforeEach(() => bootWith(current));

const Any = z.array(z.union([z.string(), z.number(), z.null()]));

describe("a cursor of a row", () => {
  const list = rowCursorsOf("listThings");
  const [least, most] = [-(2 ** 47), 2 ** 47 - 1];
  const number = fc.oneof(fc.integer({ min: least, max: most }), fc.constantFrom(least, most, 0));
  const place = fc.tuple(number, number);

  test("comes back as it was, each of a page by itself, and is the same for the same place", () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 5 }), (places) => {
        const cursors = list.encode(ctx, places);
        expect(cursors.map((cursor) => list.decode(ctx, cursor))).toEqual(places);
        expect(places.flatMap((each) => list.encode(ctx, [each]))).toEqual(cursors);
        for (const cursor of cursors) expect(cursor).toMatch(/^[\w-]{38}$/);
      }),
    );
  });

  test("is AES-SIV, as another implementation makes it", () => {
    bootWith({ id: "k", key: Buffer.alloc(32, 7) });
    const whose = { workspaceId: "0190a6e0-0000-7000-8000-000000000001" };
    // By aessiv of @noble/ciphers 2.
    expect(
      list.encode(whose, [
        [7, 9],
        [-1, 2 ** 40],
        [least, most],
      ]),
    ).toEqual([
      "_0LL8p8N3ThHlCRRmZKmaqdEPQySYpDfuFHLcA",
      "VzPR0QVajoTEs19TylJVoV7lwEF0L6aoUfzJsQ",
      "dfvK7RqTEG0krNNmd5flrklKrshzV20gbaD8Vg",
    ]);
  });

  test("of another list or workspace, or none of ours, is refused by name", () => {
    const [cursor] = list.encode(ctx, [[7, 9]]) as [string];
    const refused: [() => unknown, string][] = [
      [() => rowCursorsOf("listOthers").decode(ctx, cursor), "another list"],
      [() => list.decode({ workspaceId: newId() }, cursor), "another workspace"],
      ...[
        "",
        "x",
        "A".repeat(22),
        "A".repeat(38),
        `${cursor}A`,
        cursor.slice(1),
        ` ${cursor}`,
        sealedCursorsOf("listThings", Any).encode(ctx, [7, 9]),
      ].map((text): [() => unknown, string] => [() => list.decode(ctx, text), text]),
    ];
    for (const [work, what] of refused) expect(refusal(work), what).toBe(REFUSED);
  });

  test("that was changed anywhere is refused by name", () => {
    const bytes = Buffer.from(list.encode(ctx, [[7, 9]])[0] as string, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(refusal(() => list.decode(ctx, changed.toString("base64url")))).toBe(REFUSED);
    }
  });

  test("can be read with every key of the installation, and with no other", () => {
    bootWith(old);
    const [cursor] = list.encode(ctx, [[7, 9]]) as [string];
    bootWith(current, old);
    expect(list.decode(ctx, cursor)).toEqual([7, 9]);
    bootWith(current);
    expect(refusal(() => list.decode(ctx, cursor))).toBe(REFUSED);
  });
});
