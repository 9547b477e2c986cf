import { ApiError } from "#components/api.ts";
import type { Problem } from "./drafts.ts";

/** A failure in words for the reader. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) {
    const message = "Something went wrong on this page. Try again.";
    return { message, offline: false, signedOut: false, requestId: undefined };
  }
  const { message, code, requestId } = error;
  return { message, offline: code === "offline", signedOut: code === "session_required", requestId };
}
