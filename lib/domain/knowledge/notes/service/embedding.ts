import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { type EmbeddingsEndpoint, EmbeddingsFault, embed } from "#lib/providers/embeddings/client.ts";
import { getBoot } from "#lib/settings/boot.ts";
import {
  claimToEmbed,
  enqueueOtherModels,
  findNextDue,
  type NoteToEmbed,
  postponeEmbedding,
  releaseEmbedding,
  writeVectors,
} from "../queries/vectors.ts";
import { type Chunk, chunksOf } from "../rules/chunks.ts";
import { backOffMs, noRest, type Rest, restAfter } from "../rules/rest.ts";
import { signsOf, unit } from "../rules/vectors.ts";

/**
 * Queued by each save while there is an endpoint; which notes wait is in a table, so this only says that some do. There is
 * one endpoint for all, and it is asked for one workspace at a time.
 */
export const embedding = jobKind("notes:embed", {
  label: "Embed notes",
  ids: [],
  queue: "notes-embed",
  shared: true,
  priority: 10,
  once: true,
  gatherMs: 500,
});

/** Notes of one claim, and passages of one request. */
const NOTES = 8;
const TEXTS = 64;

const TIMEOUT_MS = 60_000;

/** The operator's endpoint; null when none is configured. */
export function findEndpoint(): EmbeddingsEndpoint | null {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: key } = getBoot().env;
  return url === undefined || model === undefined ? null : { url, model, key };
}

/** Queues what another model embedded, and what no job is queued for. */
export async function queueEmbedding(workspaceId: WorkspaceId): Promise<void> {
  const endpoint = findEndpoint();
  if (!endpoint) return;
  await withWorkspace(workspaceId, async (db) => {
    await enqueueOtherModels(db, endpoint.model);
    const waitMs = await findNextDue(db);
    if (waitMs !== null) await enqueue(db, embedding, {}, inTime(waitMs));
  });
}

const inTime = (ms: number): Date => new Date(Date.now() + Math.max(0, ms));

/** The state of the endpoint, as this process last saw it. */
const state = singleton<{ rest: Rest }>("embeddings-rest", () => ({ rest: noRest }));

/**
 * Embeds what waits in a workspace, a few notes at a time. An endpoint that failed is left alone for a while, for all
 * workspaces.
 */
export const embedNotes = resumable(embedding, {
  turnMs: 5_000,
  begin: ({ caller: { workspaceId }, signal }) => {
    const endpoint = findEndpoint();
    return async () => {
      if (!endpoint) return "done"; // they wait until there is one
      const restMs = state.rest.until - Date.now();
      return restMs > 0 ? { waitMs: restMs } : embedSome(workspaceId, endpoint, signal);
    };
  },
});

/** Claims a few notes, asks the endpoint outside of any transaction, and stores the result. */
async function embedSome(
  workspaceId: WorkspaceId,
  endpoint: EmbeddingsEndpoint,
  signal: AbortSignal,
): Promise<StepResult> {
  const notes = await withWorkspace(workspaceId, (db) => claimToEmbed(db, NOTES));
  for (const [index, note] of notes.entries()) {
    const untried = notes.slice(index).map(({ id }) => id);
    if (signal.aborted) {
      await withWorkspace(workspaceId, (db) => releaseEmbedding(db, untried, 0));
      return "more";
    }
    try {
      await embedNote(workspaceId, endpoint, note, signal);
      state.rest = noRest;
    } catch (error) {
      if (!(error instanceof EmbeddingsFault)) throw error;
      if (signal.aborted) {
        await withWorkspace(workspaceId, (db) => releaseEmbedding(db, untried, 0));
        return "more";
      }
      state.rest = restAfter(state.rest, Date.now(), error.retryAfterMs);
      const restMs = state.rest.until - Date.now();
      await withWorkspace(workspaceId, async (db) => {
        await postponeEmbedding(db, note.id, Math.max(restMs, backOffMs(note.attempts)));
        await releaseEmbedding(db, untried.slice(1), restMs);
      });
      return { waitMs: restMs };
    }
  }
  const waitMs = await withWorkspace(workspaceId, findNextDue);
  if (waitMs === null) return "done";
  return waitMs > 0 ? { waitMs } : "more";
}

async function embedNote(
  workspaceId: WorkspaceId,
  endpoint: EmbeddingsEndpoint,
  note: NoteToEmbed,
  signal: AbortSignal,
): Promise<void> {
  const chunks = chunksOf(note.title, note.content);
  const vectors: number[][] = [];
  for (let from = 0; from < chunks.length; from += TEXTS) {
    const texts = chunks.slice(from, from + TEXTS).map(({ text }) => text);
    vectors.push(...(await embed(endpoint, texts, TIMEOUT_MS, signal)));
  }
  const rows = chunks.flatMap(({ position }: Chunk, index) => {
    const vector = unit(vectors[index] ?? []);
    return vector ? [{ position, vector, signs: signsOf(vector) }] : [];
  });
  await withWorkspace(workspaceId, (db) => writeVectors(db, note.id, endpoint.model, rows));
}
