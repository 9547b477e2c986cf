import { beforeAll, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { harder, harderConversations, harderParaphrases, harderPeople } from "./harder.ts";
import { heldOutMore } from "./held-out-more.ts";
import { ordinary } from "./ordinary.ts";
import { paraphrasesHeldOut } from "./paraphrases.ts";
import { heldOut, tuning, tuningMore } from "./questions.ts";
import {
  askBy,
  askByMeaning,
  askByWeights,
  letterVector,
  measureRelevance,
  mistype,
  quote,
  saveConversations,
} from "./relevance.ts";

/** Who asks, and the notes by their ids: saved once, as questions change nothing. */
let caller: Caller;
let names: Map<string, string>;
beforeAll(async () => {
  ({ caller } = await createTestWorkspace());
  names = await saveConversations(caller);
});

test("held-out questions find their notes: MRR ≥ 0.92, recall@3 ≥ 0.96, recall@5 ≥ 0.98, a typing error costs ≤ 0.03", async () => {
  const ask = askBy(caller, names);
  const { mrr, recall3, recall5, misses } = await measureRelevance(ask, heldOut);
  const typos = [1, 2, 3].map((seed) => mistype(heldOut, seed));
  const mistyped = await Promise.all(typos.map((questions) => measureRelevance(ask, questions)));
  const loss = mrr - mistyped.reduce((sum, each) => sum + each.mrr, 0) / mistyped.length;
  const reached = { mrr: mrr >= 0.92, recall3: recall3 >= 0.96, recall5: recall5 >= 0.98, loss: loss <= 0.03 };
  expect(reached, misses.join("\n")).toEqual({ mrr: true, recall3: true, recall5: true, loss: true });
});

test("200 more held-out questions find their notes: MRR ≥ 0.98, recall@3 ≥ 0.99", async () => {
  const { mrr, recall3 } = await measureRelevance(askBy(caller, names), heldOutMore);
  // The questions are not printed: no one who changes words or weights should read them.
  expect({ mrr: mrr >= 0.98, recall3: recall3 >= 0.99 }, `${mrr} ${recall3}`).toEqual({ mrr: true, recall3: true });
});

test("a poor model of meaning costs nothing on questions that the words answer", async () => {
  for (const questions of [[...tuning, ...tuningMore], quote(2, 11)]) {
    const words = await measureRelevance(askBy(caller, names), questions);
    const both = await measureRelevance(askByMeaning(caller, names, letterVector), questions);
    expect(both.mrr, both.misses.join("\n")).toBeGreaterThanOrEqual(words.mrr);
  }
});

test("questions in other words find their notes: MRR ≥ 0.56, recall@5 ≥ 0.66", async () => {
  const ask = askBy(caller, names);
  const { mrr, recall5 } = await measureRelevance(ask, paraphrasesHeldOut);
  expect({ mrr: mrr >= 0.56, recall5: recall5 >= 0.66 }, `${mrr} ${recall5}`).toEqual({ mrr: true, recall5: true });
});

test("ordinary questions find their notes: MRR ≥ 0.9", async () => {
  const ask = askByWeights(caller, names, {}, new Date("2026-11-22T12:00:00Z"));
  const { mrr, misses } = await measureRelevance(ask, ordinary);
  expect(mrr, misses.join("\n")).toBeGreaterThanOrEqual(0.9);
});

test("harder questions find their notes among those that look alike: MRR ≥ 0.95, in other words ≥ 0.45", async () => {
  const { caller } = await createTestWorkspace();
  const names = await saveConversations(caller);
  for (const [id, name] of await saveConversations(caller, harderPeople, harderConversations)) names.set(id, name);
  const ask = askByWeights(caller, names, {}, new Date("2026-11-22T12:00:00Z"));
  const direct = await measureRelevance(ask, harder);
  const otherWords = await measureRelevance(ask, harderParaphrases);
  const reached = { direct: direct.mrr >= 0.95, otherWords: otherWords.mrr >= 0.45 };
  expect(reached, [...direct.misses, ...otherWords.misses].join("\n")).toEqual({ direct: true, otherWords: true });
});
