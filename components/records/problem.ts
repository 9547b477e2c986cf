import { ApiError } from "#components/api.ts";

export type Problem = {
  message: string;
  requestId?: string;
  /** The request or its answer was lost. */
  offline?: true;
  /** The session has ended. */
  signedOut?: true;
};

/** A failure in words for the reader, with its id in the log. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { message: "Something went wrong on this page. Try again." };
  return {
    message: error.message,
    ...(error.requestId ? { requestId: error.requestId } : {}),
    ...(error.code === "offline" ? { offline: true } : {}),
    ...(error.code === "session_required" ? { signedOut: true } : {}),
  };
}
