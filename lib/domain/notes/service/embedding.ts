import { getBoot } from "#lib/core/boot.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type EmbeddingsEndpoint, EmbeddingsFault, embed } from "#lib/providers/embeddings/client.ts";
import {
  claimToEmbed,
  enqueueOtherModels,
  findNextDue,
  postponeEmbedding,
  type ToEmbed,
  writeVectors,
} from "../queries/vectors.ts";
import { type Chunk, chunksOf } from "../rules/chunks.ts";
import { signsOf, unit } from "../rules/vectors.ts";

/** Notes of one claim, and passages of one request. */
const NOTES = 8;
const TEXTS = 64;

const TIMEOUT_MS = 60_000;

/** After a failure a note waits 5 s, then twice as long each time, at most an hour. It is never given up. */
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;

/** The operator's endpoint; null when none is configured. */
export function findEndpoint(): EmbeddingsEndpoint | null {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: key } = getBoot().env;
  return url === undefined || model === undefined ? null : { url, model, key };
}

/** Queues what a former model embedded. */
export const queueOutdated = (workspaceId: WorkspaceId, model: string): Promise<void> =>
  withWorkspace(workspaceId, (db) => enqueueOtherModels(db, model));

/** `waitMs`: how long to leave this workspace alone; null when nothing of it is queued. */
export type Step = { failed: boolean; waitMs: number | null };

/** Embeds a few notes of a workspace: claims them, asks the endpoint outside of any transaction, writes what came. */
export async function embedSome(workspaceId: WorkspaceId, endpoint: EmbeddingsEndpoint): Promise<Step> {
  const notes = await withWorkspace(workspaceId, (db) => claimToEmbed(db, NOTES));
  for (const [index, note] of notes.entries()) {
    try {
      await embedNote(workspaceId, endpoint, note);
    } catch (error) {
      if (!(error instanceof EmbeddingsFault)) throw error;
      const waitMs = Math.max(
        error.retryAfterMs ?? 0,
        Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (note.attempts - 1)),
      );
      const ids = notes.slice(index).map(({ id }) => id);
      await withWorkspace(workspaceId, (db) => postponeEmbedding(db, ids, waitMs));
      return { failed: true, waitMs: Math.max(FIRST_WAIT_MS, error.retryAfterMs ?? 0) };
    }
  }
  return { failed: false, waitMs: await withWorkspace(workspaceId, findNextDue) };
}

async function embedNote(workspaceId: WorkspaceId, endpoint: EmbeddingsEndpoint, note: ToEmbed): Promise<void> {
  const chunks = chunksOf(note.title, note.content);
  const vectors: number[][] = [];
  for (let from = 0; from < chunks.length; from += TEXTS) {
    const texts = chunks.slice(from, from + TEXTS).map(({ text }) => text);
    vectors.push(...(await embed(endpoint, texts, TIMEOUT_MS)));
  }
  const rows = chunks.flatMap(({ position }: Chunk, index) => {
    const vector = unit(vectors[index] ?? []);
    return vector ? [{ position, vector, signs: signsOf(vector) }] : [];
  });
  await withWorkspace(workspaceId, (db) => writeVectors(db, note.id, endpoint.model, rows));
}
