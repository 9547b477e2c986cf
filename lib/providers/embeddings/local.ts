import { singleton } from "#lib/core/singleton.ts";
import { EmbeddingsFault } from "./fault.ts";

/** The part that is used: `pipeline("feature-extraction", model)` of transformers.js. */
export type Transformers = {
  pipeline(task: "feature-extraction", model: string): Promise<Extractor>;
};
type Extractor = (
  texts: readonly string[],
  options: { pooling: "mean"; normalize: boolean },
) => Promise<{ tolist(): number[][] }>;

/** Not among our dependencies (474 MB with its runtime): an operator who wants it installs it beside Rapport. */
const PACKAGE = "@huggingface/transformers";

const extractors = singleton("local-embeddings", () => new Map<string, Promise<Extractor>>());

/**
 * The embedding of each text by a model that runs in this process. Throws `EmbeddingsFault` when the package is not
 * installed, the model cannot be loaded (its weights are fetched once), or it takes longer than `timeoutMs`; loading goes
 * on meanwhile.
 */
export async function embedLocally(
  model: string,
  texts: readonly string[],
  timeoutMs: number,
  load: () => Promise<Transformers> = () => import(/* turbopackIgnore: true */ PACKAGE),
): Promise<number[][]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EmbeddingsFault(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([run(model, texts, load), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function run(model: string, texts: readonly string[], load: () => Promise<Transformers>): Promise<number[][]> {
  let extractor = extractors.get(model);
  if (!extractor) {
    extractor = load().then(({ pipeline }) => pipeline("feature-extraction", model));
    extractors.set(model, extractor);
    extractor.catch(() => extractors.delete(model)); // the next note tries again
  }
  try {
    return (await (await extractor)(texts, { pooling: "mean", normalize: true })).tolist();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    throw new EmbeddingsFault(
      missing ? `${PACKAGE} is not installed; run npm install --no-save ${PACKAGE}` : (error as Error).message,
    );
  }
}
