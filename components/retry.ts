import { ApiError } from "#components/api.ts";

/** Whether a read that failed is asked once more: not when the server has refused it, for it would say the same again. */
export const isWorthAsking = (failures: number, error: unknown): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);
