import { expect, test } from "vitest";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { heldOut, tuning, tuningMore } from "./questions.ts";
import { askBy, askByMeaning, letterVector, measureRelevance, mistype, quote, saveConversations } from "./relevance.ts";

test("held-out questions find their notes: MRR ≥ 0.86, recall@3 ≥ 0.92, recall@5 ≥ 0.94, a typing error costs ≤ 0.03", async () => {
  const { caller } = await createTestWorkspace();
  const ask = askBy(caller, await saveConversations(caller));
  const { mrr, recall3, recall5, misses } = await measureRelevance(ask, heldOut);
  const typos = [1, 2, 3].map((seed) => mistype(heldOut, seed));
  const mistyped = await Promise.all(typos.map((questions) => measureRelevance(ask, questions)));
  const loss = mrr - mistyped.reduce((sum, each) => sum + each.mrr, 0) / mistyped.length;
  const reached = { mrr: mrr >= 0.86, recall3: recall3 >= 0.92, recall5: recall5 >= 0.94, loss: loss <= 0.03 };
  expect(reached, misses.join("\n")).toEqual({ mrr: true, recall3: true, recall5: true, loss: true });
}, 60_000);

test("a poor model of meaning costs nothing on questions that the words answer", async () => {
  const { caller } = await createTestWorkspace();
  const names = await saveConversations(caller);
  for (const questions of [[...tuning, ...tuningMore], quote(2, 11)]) {
    const words = await measureRelevance(askBy(caller, names), questions);
    const both = await measureRelevance(askByMeaning(caller, names, letterVector), questions);
    expect(both.mrr, both.misses.join("\n")).toBeGreaterThanOrEqual(words.mrr);
  }
}, 60_000);
