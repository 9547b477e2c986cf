import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf } from "./chunks.ts";
import { fuse } from "./fusion.ts";
import { cosine, readReals, signsOf, unit } from "./vectors.ts";

describe("vectors", () => {
  test("a unit vector has length 1 and keeps its direction; zero and infinity have none", () => {
    const vector = unit([3, 4])!;
    expect([...vector]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect(cosine(vector, vector)).toBeCloseTo(1, 6);
    expect(unit([0, 0])).toBeNull();
    expect(unit([Number.POSITIVE_INFINITY, 1])).toBeNull();
    expect(unit([])).toBeNull();
  });

  test("signs are 1 above zero", () => {
    expect(signsOf(Float32Array.from([0.1, -0.1, 0]))).toBe("100");
  });

  test("reads what array_send writes", () => {
    const sent = Buffer.alloc(20 + 2 * 8);
    sent.writeInt32BE(4, 20);
    sent.writeFloatBE(0.5, 24);
    sent.writeInt32BE(4, 28);
    sent.writeFloatBE(-2, 32);
    expect([...readReals(sent)]).toEqual([0.5, -2]);
  });
});

describe("passages to embed", () => {
  test("a short note is one, with its title", () => {
    expect(chunksOf("Call", "Short.\n")).toEqual([{ position: 0, text: "Call\n\nShort." }]);
    expect(chunksOf(null, "  Short.")).toEqual([{ position: 2, text: "Short." }]);
  });

  test("a long one is cut after sentences and nothing is left out", () => {
    const content = "This is a sentence of some words. ".repeat(500);
    const chunks = chunksOf(null, content);
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.map(({ text }) => text).join(" ")).toBe(content.trim());
    for (const { position, text } of chunks) expect(content.slice(position, position + text.length)).toBe(text);
  });

  test("a text without words has none, and the longest has an end", () => {
    expect(chunksOf("Title", "… !!! ---")).toEqual([]);
    expect(chunksOf(null, "word ".repeat(400_000)).length).toBeLessThanOrEqual(200);
  });
});

describe("fusing two lists", () => {
  const item = (noteId: string, similarity: number) => ({ noteId, similarity, start: 0 });

  test("words and meaning add up, and a note keeps the better similarity", () => {
    const fused = fuse([item("a", 0.5), item("b", 0.4)], [item("b", 0.7), item("c", 0.5), item("d", 0.1)]);
    expect(fused.map(({ noteId, match }) => [noteId, match])).toEqual([
      ["b", "hybrid"],
      ["a", "lexical"],
      ["c", "semantic"],
      ["d", "semantic"],
    ]);
    expect(fused[0]?.similarity).toBe(0.7);
  });

  test("a strong match of words stays first, whatever a weak model puts first", () => {
    const weak = [item("c", 0.32), item("d", 0.31), item("a", 0.3), item("b", 0.29)];
    expect(fuse([item("a", 0.6), item("b", 0.2), item("c", 0.1)], weak)[0]?.noteId).toBe("a");
  });

  test("a model whose cosines are all high moves the order no further than one whose cosines begin at zero", () => {
    const lexical = [item("a", 0.3), item("b", 0.2)];
    const from = (floor: number) => [1, 0.4, 0].map((near, index) => item("bac"[index]!, floor + (1 - floor) * near));
    const order = (floor: number) => fuse(lexical, from(floor)).map(({ noteId }) => noteId);
    expect(order(0.8)).toEqual(order(0));
  });

  test("one list alone keeps its order", () => {
    expect(fuse([item("a", 0.9), item("b", 0.5)], []).map(({ noteId }) => noteId)).toEqual(["a", "b"]);
  });

  test("similarity never rises, and every note appears once", () => {
    const list = fc.uniqueArray(
      fc.record({
        noteId: fc.constantFrom(..."abcdefghij"),
        similarity: fc.double({ min: -1, max: 1, noNaN: true }),
        start: fc.nat(),
      }),
      { selector: ({ noteId }) => noteId },
    );
    fc.assert(
      fc.property(list, list, (lexical, semantic) => {
        const fused = fuse(lexical, semantic);
        expect(new Set(fused.map(({ noteId }) => noteId)).size).toBe(fused.length);
        for (const [index, { similarity }] of fused.entries()) {
          expect(similarity).toBeGreaterThanOrEqual(0);
          expect(similarity).toBeLessThanOrEqual(fused[index - 1]?.similarity ?? 1);
        }
      }),
    );
  });
});
