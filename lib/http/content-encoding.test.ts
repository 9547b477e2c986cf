import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { packed, unpacked, unpackedStream } from "./content-encoding.ts";
import type { Answer } from "./exchange.ts";

const LIMIT = 64 * 1024;
const TEXT = '{"email":"anna@acme.com"}';
const BOMB = gzipSync(Buffer.alloc(50 * 1024 * 1024));

const headed = (encoding?: string) => ({ header: () => encoding });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "no refusal",
    (error: { code: string }) => error.code,
  );

describe("a body", () => {
  test.each<[encoding: string | undefined, body: Buffer]>([
    [undefined, Buffer.from(TEXT)],
    ["", Buffer.from(TEXT)],
    ["identity", Buffer.from(TEXT)],
    ["gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    ["x-gzip", gzipSync(TEXT)],
    ["gzip", Buffer.concat([gzipSync(TEXT.slice(0, 5)), gzipSync(TEXT.slice(5))])],
  ])("in the encoding %j is read", async (encoding, body) => {
    expect((await unpacked(headed(encoding), body, LIMIT)).toString()).toBe(TEXT);
  });

  test("of exactly the limit is read, and one byte more is not", async () => {
    expect(await unpacked(headed("gzip"), gzipSync(Buffer.alloc(LIMIT)), LIMIT)).toHaveLength(LIMIT);
    expect(await refusal(unpacked(headed("gzip"), gzipSync(Buffer.alloc(LIMIT + 1)), LIMIT))).toBe("payload_too_large");
    expect(await refusal(unpacked(headed("gzip"), BOMB, LIMIT))).toBe("payload_too_large");
  });

  test.each<[what: string, body: Buffer]>([
    ["text", Buffer.from(TEXT)],
    ["half of it", gzipSync(TEXT).subarray(0, -9)],
    ["nothing", Buffer.alloc(0)],
  ])("that is no gzip although it says so is refused: %s", async (_what, body) => {
    expect(await refusal(unpacked(headed("gzip"), body, LIMIT))).toBe("invalid_encoding");
  });

  test.each(["br", "deflate", "zstd", "gzip, gzip", "identity, br"])("in %s is refused by name", async (encoding) => {
    await expect(unpacked(headed(encoding), Buffer.from(TEXT), LIMIT)).rejects.toMatchObject({
      code: "unsupported_media_type",
      message: expect.stringContaining(`"${encoding}"`),
      extras: { content_encoding: encoding, supported: ["gzip", "identity"] },
    });
  });
});

describe("a body in pieces", () => {
  const piecesOf = (body: Buffer) =>
    Readable.from(Array.from({ length: Math.ceil(body.length / 10) }, (_, at) => body.subarray(at * 10, at * 10 + 10)));
  const read = async (body: AsyncIterable<Buffer>, encoding?: string) => {
    let text = "";
    for await (const piece of unpackedStream({ ...headed(encoding), stream: () => body })) text += piece.toString();
    return text;
  };

  test("is unpacked while it arrives", async () => {
    expect(await read(piecesOf(gzipSync(TEXT)), "gzip")).toBe(TEXT);
    expect(await read(piecesOf(Buffer.from(TEXT)))).toBe(TEXT);
  });

  test("is refused when it is no gzip, and when it breaks off", async () => {
    expect(await refusal(read(piecesOf(Buffer.from(TEXT)), "gzip"))).toBe("invalid_encoding");
    expect(await refusal(read(piecesOf(gzipSync(TEXT).subarray(0, -9)), "gzip"))).toBe("invalid_encoding");
  });

  test("whose sender goes away fails with that", async () => {
    async function* leaving() {
      yield gzipSync(TEXT).subarray(0, 12);
      throw new Error("the caller went away");
    }
    await expect(read(leaving(), "gzip")).rejects.toThrow("the caller went away");
  });

  test("is read no further than its reader wants", async () => {
    const member = gzipSync(randomBytes(64 * 1024));
    let isOver = false;
    async function* endless() {
      try {
        for (;;) yield member;
      } finally {
        isOver = true;
      }
    }
    for await (const _ of unpackedStream({ ...headed("gzip"), stream: endless })) break;
    await expect.poll(() => isOver).toBe(true);
  });
});

describe("an answer", () => {
  const LONG = JSON.stringify({ name: "Anna ".repeat(300) });
  const json = { "Content-Type": "application/json; charset=utf-8" };
  const answer = (more: Partial<Answer> = {}): Answer => ({ status: 200, headers: { ...json }, body: LONG, ...more });

  test.each(["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.5"])("is gzip for who accepts %s", async (accepted) => {
    const { status, headers, body } = await packed(answer({ status: 404 }), accepted);
    expect([status, headers]).toEqual([404, { ...json, "Content-Encoding": "gzip", Vary: "Accept-Encoding" }]);
    expect(gunzipSync(body as Buffer).toString()).toBe(LONG);
  });

  test.each([1_025, 65_536, 65_537, 1_000_000])("is the same after unpacking: %i bytes", async (bytes) => {
    const { body } = await packed(answer({ body: LONG.repeat(700).slice(0, bytes) }), "gzip");
    expect(gunzipSync(body as Buffer).toString()).toBe(LONG.repeat(700).slice(0, bytes));
  });

  test.each([undefined, "", "identity", "br", "gzip;q=0"])("stays as it is for who accepts %j", (accepted) => {
    const given = answer({ headers: { ...json, Vary: "Origin" } });
    expect(packed(given, accepted)).toBe(given);
    expect(given.headers.Vary).toBe("Origin, Accept-Encoding");
  });

  test.each<[string, Partial<Answer>]>([
    ["none", { body: null }],
    ["short", { body: LONG.slice(0, 1024) }],
    ["written while it is made", { body: () => () => undefined }],
    ["a stream of events", { headers: { "Content-Type": "text/event-stream" } }],
    ["a picture", { headers: { "Content-Type": "image/png" } }],
    ["named by an ETag", { headers: { ...json, ETag: '"1"' } }],
    ["packed already", { headers: { ...json, "Content-Encoding": "gzip" } }],
  ])("stays as it is when it is %s", (_what, more) => {
    const given = answer(more);
    expect(packed(given, "gzip")).toBe(given);
    expect(given.headers.Vary).toBeUndefined();
  });
});
