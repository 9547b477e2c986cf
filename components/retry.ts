import { ApiError } from "#components/api.ts";

/**
 * Whether a failed read is tried once more: not when the server has refused it, because the answer would be the same.
 */
export const isWorthAsking = (failures: number, error: unknown): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);
