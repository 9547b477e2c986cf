import { ApiError } from "#components/api.ts";
import type { Problem } from "./drafts.ts";

/** A failure in words for the reader. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    return { message: error.message, offline: error.code === "offline", requestId: error.requestId };
  }
  return { message: "Something went wrong on this page. Try again.", offline: false, requestId: undefined };
}
