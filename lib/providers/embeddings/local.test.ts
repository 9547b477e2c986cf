import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { embed } from "./client.ts";
import { EmbeddingsFault } from "./fault.ts";
import { embedLocally, type Transformers } from "./local.ts";

/** Behaves as the package does: a model, once loaded, turns each text into a vector. */
const transformers = (): Transformers => ({
  pipeline: async (_task, model) => {
    if (model === "no/such-model") throw new Error("Could not locate file");
    return async (texts, options) => {
      expect(options).toEqual({ pooling: "mean", normalize: true });
      if (texts.includes("slow")) await sleep(200);
      return { tolist: () => texts.map((text) => [text.length, 1]) };
    };
  },
});

test("texts are embedded in their order by a model that is loaded once", async () => {
  const load = vi.fn(async () => transformers());
  await expect(embedLocally("a/model", ["one", "three"], 1_000, load)).resolves.toEqual([
    [3, 1],
    [5, 1],
  ]);
  await embedLocally("a/model", ["two"], 1_000, load);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a model that cannot be loaded is a fault, and the next call tries again", async () => {
  const load = vi.fn(async () => transformers());
  for (const times of [1, 2]) {
    await expect(embedLocally("no/such-model", ["one"], 1_000, load)).rejects.toThrow(EmbeddingsFault);
    expect(load).toHaveBeenCalledTimes(times);
  }
});

test("a timeout is a fault", async () => {
  await expect(embedLocally("b/model", ["slow"], 20, async () => transformers())).rejects.toThrow(
    "no answer within 20 ms",
  );
});

test("without the package the fault says how to install it", async () => {
  await expect(embed({ url: "local", model: "c/model" }, ["one"], 5_000)).rejects.toThrow(
    "run npm install --no-save @huggingface/transformers",
  );
});
