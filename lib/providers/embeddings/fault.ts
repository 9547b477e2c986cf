/** Why there are no embeddings. `retryAfterMs`: how long the endpoint asks us to wait. */
export class EmbeddingsFault extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "EmbeddingsFault";
    this.retryAfterMs = retryAfterMs;
  }
}
