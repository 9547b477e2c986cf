import type { Db } from "#lib/db/handle.ts";
import { type EmbeddingsEndpoint, embed } from "#lib/providers/embeddings/client.ts";
import type { NoteType } from "../contract.ts";
import { findNear } from "../queries/vectors.ts";
import type { RankedNote } from "../rules/fusion.ts";
import { cosine, readReals, signsOf, unit } from "../rules/vectors.ts";
import { findEndpoint } from "./embedding.ts";

/** A question waits this long for its embedding; after that it is answered by words alone. */
const TIMEOUT_MS = 1800;

/** Longest question that is embedded, in characters; more text adds nothing. */
const LONGEST = 4000;

/** Passages compared in full, after the comparison by signs. */
const NEAREST = 64;

/** The meaning of a question from the endpoint: its vector, or why there is none. Null: no endpoint is configured. */
export type Meaning = { model: string; vector: Float32Array } | { warning: string } | null;

/** Asks the endpoint what a question means. Never throws, and must not run inside a transaction: it goes over the network. */
export async function findMeaning(
  question: string,
  endpoint: EmbeddingsEndpoint | null = findEndpoint(),
): Promise<Meaning> {
  if (!endpoint) return null;
  try {
    const [vector] = await embed(endpoint, [question.slice(0, LONGEST).toWellFormed()], TIMEOUT_MS);
    const direction = unit(vector ?? []);
    if (direction) return { model: endpoint.model, vector: direction };
    return { warning: "The embeddings endpoint gave the question no direction; the answer is by words only." };
  } catch (error) {
    return { warning: `The embeddings endpoint failed (${(error as Error).message}); the answer is by words only.` };
  }
}

/** The notes nearest in meaning, best first: by signs, then by cosine of their best passage. */
export async function findSimilar(
  db: Db,
  { model, vector }: { model: string; vector: Float32Array },
  filter: { entityIds: readonly string[] | null; types: readonly NoteType[] | null },
): Promise<RankedNote[]> {
  const asked = { model, dimension: vector.length, signs: signsOf(vector) };
  const best = new Map<string, RankedNote>();
  for (const { noteId, position, vector: sent } of await findNear(db, asked, filter, NEAREST)) {
    const similarity = Math.min(1, Math.max(0, cosine(vector, readReals(sent))));
    if (similarity > (best.get(noteId)?.similarity ?? -1)) best.set(noteId, { noteId, similarity, start: position });
  }
  return [...best.values()].sort((a, b) => b.similarity - a.similarity);
}
