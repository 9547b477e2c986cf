import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { fuse } from "#lib/domain/knowledge/notes/rules/fusion.ts";
import { hashOf } from "#lib/domain/knowledge/notes/rules/lexemes.ts";
import { readSpans } from "#lib/domain/knowledge/notes/rules/question-dates.ts";
import { WEIGHTS, type Weights } from "#lib/domain/knowledge/notes/rules/ranking.ts";
import { cosine, unit } from "#lib/domain/knowledge/notes/rules/vectors.ts";
import { rankNotes } from "#lib/domain/knowledge/notes/service/rank.ts";
import { saveNote } from "#lib/domain/knowledge/notes/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { conversations, people } from "./conversations.ts";
import type { Question } from "./questions.ts";

export type Relevance = { mrr: number; recall3: number; recall5: number; misses: string[] };

/**
 * Saves the people and conversations of the relevance set through the services; returns the id of each note by its
 * name.
 */
export async function saveConversations(
  caller: Caller,
  who = people,
  notes = conversations,
): Promise<Map<string, string>> {
  const state = (property: string, value: string) => ({ kind: "state", property, value });
  for (const { email, first_name, last_name, company, domain } of who) {
    await recordObservations.execute(caller, { focus: domain, observations: [state("name", company)] });
    const observations = [state("first_name", first_name), state("last_name", last_name), state("company", company)];
    await recordObservations.execute(caller, { focus: email, observations });
  }
  const names = new Map<string, string>();
  for (const { id, ...body } of notes) {
    const { note } = await saveNote.execute(caller, body);
    names.set(note.id, id);
  }
  return names;
}

/** Asks every question and notes the rank of the first right answer among the first ten. */
export async function measureRelevance(
  ask: (question: string) => Promise<string[]>,
  questions: readonly Question[],
): Promise<Relevance> {
  let [mrr, recall3, recall5] = [0, 0, 0];
  const misses: string[] = [];
  for (const { ask: question, answers } of questions) {
    const answer = await ask(question);
    const place = answer.findIndex((name) => answers.includes(name));
    if (place >= 0) mrr += 1 / (place + 1);
    if (place >= 0 && place < 3) recall3++;
    if (place >= 0 && place < 5) recall5++;
    if (place !== 0)
      misses.push(`${place + 1 || "-"}: ${question} (${answer.slice(0, 3).join(", ")}; right: ${answers.join(", ")})`);
  }
  const share = (sum: number) => sum / questions.length;
  return { mrr: share(mrr), recall3: share(recall3), recall5: share(recall5), misses };
}

/** Asks through the operation, as every transport does. */
export const askBy =
  (caller: Caller, names: ReadonlyMap<string, string>) =>
  async (question: string): Promise<string[]> => {
    const { documents } = await searchNotes.execute(caller, { question, limit: 10 });
    return documents.map(({ id }) => names.get(id) ?? "?");
  };

/** Asks the ranking itself, with other weights, to see how much each ingredient helps. */
export const askByWeights =
  (caller: Caller, names: ReadonlyMap<string, string>, weights: Partial<Weights>, now = new Date()) =>
  async (question: string): Promise<string[]> => {
    const query = { question, spans: readSpans(question, now), entityIds: null, types: null };
    const { notes: found } = await withWorkspace(caller.workspaceId, (db) =>
      rankNotes(db, query, 10, { ...WEIGHTS, ...weights }),
    );
    return found.map(({ noteId }) => names.get(noteId) ?? "?");
  };

/** Asks by words and by meaning together, as search does with an endpoint; `vectorOf` stands in for its model. */
export const askByMeaning =
  (caller: Caller, names: ReadonlyMap<string, string>, vectorOf: (text: string) => Float32Array) =>
  async (question: string): Promise<string[]> => {
    const query = { question, spans: readSpans(question, new Date()), entityIds: null, types: null };
    const { notes: found } = await withWorkspace(caller.workspaceId, (db) => rankNotes(db, query, 50));
    const asked = vectorOf(question);
    const near = [...names].map(([noteId, name]) => {
      const { title = "", content = "" } = conversations.find(({ id }) => id === name) ?? {};
      return { noteId, similarity: Math.max(0, cosine(asked, vectorOf(`${title} ${content}`))), start: 0 };
    });
    const fused = fuse(
      found,
      near.sort((a, b) => b.similarity - a.similarity),
    );
    return fused.slice(0, 10).map(({ noteId }) => names.get(noteId) ?? "?");
  };

/** A poor model of meaning: which runs of three letters a text has. */
export function letterVector(text: string): Float32Array {
  const counts = new Array<number>(256).fill(0.02);
  const letters = text.toLowerCase();
  for (let at = 0; at + 3 <= letters.length; at++) {
    const place = hashOf(letters.slice(at, at + 3)) % counts.length;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return unit(counts) ?? new Float32Array(counts.length);
}

/** The same questions with a typical typing error in one word each; `seed` chooses word, place and kind. */
export function mistype(questions: readonly Question[], seed: number): Question[] {
  const random = randomOf(seed);
  const pick = (many: number) => Math.floor(random() * many);
  return questions.map(({ ask, answers }) => {
    const words = ask.split(" ");
    const long = [...words.keys()].filter((index) => /^[A-Za-z]{5,}$/.test(words[index] ?? ""));
    const index = long[pick(long.length)];
    if (index === undefined) return { ask, answers };
    const word = words[index] ?? "";
    const at = 1 + pick(word.length - 2);
    const letter = String.fromCharCode(97 + pick(26));
    const [before, here, next, after] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)];
    const kinds = [
      before + next + after,
      before + letter + here + next + after,
      before + letter + next + after,
      before + next + here + after,
    ];
    words[index] = kinds[pick(4)] ?? word;
    return { ask: words.join(" "), answers };
  });
}

/** mulberry32: small, seeded, the same everywhere. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Questions in a note's own words: from each note, `many` runs of five words as it has them. */
export function quote(many: number, seed: number): Question[] {
  const random = randomOf(seed);
  return conversations.flatMap(({ id, content }) => {
    const words = content.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu) ?? [];
    return Array.from({ length: many }, () => {
      const at = Math.floor(random() * Math.max(1, words.length - 5));
      return { ask: words.slice(at, at + 5).join(" "), answers: [id] };
    });
  });
}
