/** Why no embeddings came. `retryAfterMs`: how long the endpoint asks to be left alone. */
export class EmbeddingsFault extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "EmbeddingsFault";
    this.retryAfterMs = retryAfterMs;
  }
}
