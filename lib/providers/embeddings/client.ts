import { z } from "zod";
import { retryAfterOf } from "../request.ts";

/** An OpenAI-compatible endpoint. `url` is its base (`https://api.openai.com/v1`) or the whole address of `/embeddings`. */
export type EmbeddingsEndpoint = { url: string; model: string; key?: string | undefined };

/** Why no embeddings came. `retryAfterMs`: how long the endpoint asks to be left alone. */
export class EmbeddingsFault extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "EmbeddingsFault";
    this.retryAfterMs = retryAfterMs;
  }
}

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) });

/** Largest answer that is read: a batch of long vectors as text stays far below. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * The embedding of each text, in order. Throws `EmbeddingsFault` when the endpoint refuses, is slower than `timeoutMs`,
 * or answers something else. The address is the operator's own setting, so private hosts are allowed; redirects are not.
 */
export async function embed(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  timeoutMs: number,
): Promise<number[][]> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(endpoint.url), {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "content-type": "application/json",
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
      body: JSON.stringify({ model: endpoint.model, input: texts, encoding_format: "float" }),
    });
    if (Number(response.headers.get("content-length") ?? 0) > MAX_ANSWER_BYTES)
      throw new Error("the answer is too long");
    text = await response.text();
  } catch (error) {
    const slow = error instanceof Error && error.name === "TimeoutError";
    throw new EmbeddingsFault(slow ? `no answer within ${timeoutMs} ms` : `no connection: ${(error as Error).message}`);
  }
  if (!response.ok) throw new EmbeddingsFault(`status ${response.status}`, retryAfterOf(response));
  return vectorsOf(text, texts.length);
}

function addressOf(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/embeddings") ? base : `${base}/embeddings`;
}

function vectorsOf(text: string, many: number): number[][] {
  const parsed = Answer.safeParse(tryJson(text));
  if (!parsed.success) throw new EmbeddingsFault("an answer that is not a list of embeddings");
  const ordered = parsed.data.data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  const dimension = ordered[0]?.length;
  if (ordered.length !== many || ordered.some((vector) => vector.length !== dimension)) {
    throw new EmbeddingsFault("an answer with other vectors than asked for");
  }
  return ordered;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
