import { z } from "zod";
import { retryAfterOf, textWithin } from "../request.ts";
import { EmbeddingsFault } from "./fault.ts";
import { embedLocally } from "./local.ts";

export { EmbeddingsFault } from "./fault.ts";

/**
 * An OpenAI-compatible endpoint, `url` being its base (`https://api.openai.com/v1`) or the whole address of `/embeddings`; or
 * `local`, a model in this process.
 */
export type EmbeddingsEndpoint = { url: string; model: string; key?: string | undefined };

/** The address for a model in this process. */
const LOCAL = "local";

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) });

/** The largest answer that is read: a batch of long vectors as text is far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * The embedding of each text, in order. Throws `EmbeddingsFault` when the endpoint refuses, is slower than `timeoutMs`,
 * or answers something else; also when `signal` tells it to stop. The address is the operator's own setting, so private hosts are allowed; redirects are not.
 */
export async function embed(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<number[][]> {
  if (endpoint.url === LOCAL) return checked(await embedLocally(endpoint.model, texts, timeoutMs), texts.length);
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(endpoint.url), {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      headers: {
        "content-type": "application/json",
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
      body: JSON.stringify({ model: endpoint.model, input: texts, encoding_format: "float" }),
    });
    text = await textWithin(response, MAX_ANSWER_BYTES);
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
  return checked(
    parsed.data.data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding),
    many,
  );
}

/** One vector a text, all of one dimension. */
function checked(vectors: number[][], many: number): number[][] {
  const dimension = vectors[0]?.length;
  if (vectors.length !== many || vectors.some((vector) => vector.length !== dimension)) {
    throw new EmbeddingsFault("an answer with other vectors than asked for");
  }
  return vectors;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
