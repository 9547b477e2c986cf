/** What went wrong, in words for the reader. */
export const failureOf = (error: unknown): string =>
  error instanceof Error ? error.message : "That did not work. Try again.";
